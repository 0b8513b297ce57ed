"""The layout of the published archives of 3DIdent: images/<number>.png and raw_latents.npy, packed or not.

No name in an archive is ever used as a path on disk: images are found by their number and read from the archive.
"""

import io
from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from demix.datasets.common.conversion import Chunk, Conversion, Split
from demix.specs.datasets.common.threedident import LATENTS
from demix.support.errors import DataError

CHUNK = 500
"""Images that are decoded before they are handed on."""

LATENTS_FILE = "raw_latents.npy"
HINT = "it must hold images/000000.png ... and raw_latents.npy"


class Files(Protocol):
    """Where the images and latents of one split lie."""

    name: str

    def latents(self) -> bytes:
        """Content of raw_latents.npy."""

    def image(self, number: int) -> bytes:
        """Content of an image's file."""


def published(splits: dict[str, Split]) -> Conversion:
    """A data set of published images."""
    return Conversion(splits, facts={"preset": "published", "hue_mode": "published"})


def split_of(files: Files, count: int, size: int) -> Split:
    """The first `count` images of a split, resized to `size` pixels.

    Raises:
        DataError: there are fewer, or the latents are not ten columns within [-1, 1].
    """
    latents = _latents(files)
    if len(latents) < count:
        raise DataError(f"{files.name} has {len(latents):,} images, but {count:,} are needed")
    return Split(count, _chunks(files, latents[:count], size))


def _chunks(files: Files, latents: NDArray, size: int) -> Iterator[Chunk]:
    """Images with their latents, some at a time.

    Raises:
        DataError: an image is missing or damaged.
    """
    for first in range(0, len(latents), CHUNK):
        numbers = range(first, min(first + CHUNK, len(latents)))
        images = np.stack([_pixels(files, number, size) for number in numbers])
        yield images, {"factors": latents[numbers.start : numbers.stop]}


def _latents(files: Files) -> NDArray[np.float32]:
    try:
        latents = np.load(io.BytesIO(files.latents()), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise DataError(f"{files.name}: {LATENTS_FILE} is damaged ({error})") from None
    if latents.ndim != 2 or latents.shape[1] != len(LATENTS) or latents.dtype.kind != "f":
        raise DataError(
            f"{files.name}: {LATENTS_FILE} is {latents.dtype} {latents.shape}, not real (n, {len(LATENTS)})"
        )
    if not (np.abs(latents) <= 1).all():
        raise DataError(f"{files.name}: {LATENTS_FILE} leaves [-1, 1]; latents.npy has other units")
    return latents.astype(np.float32)


def _pixels(files: Files, number: int, size: int) -> NDArray[np.uint8]:
    """An image as (size, size, 3) uint8; a smaller one has means over areas."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(files.image(number)), formats=["PNG"]) as image:
            rgb = image.convert("RGB")
    except (OSError, ValueError, SyntaxError) as error:  # how pillow says that a PNG is damaged
        raise DataError(f"{files.name}: image {number} is damaged ({error})") from None
    if rgb.size != (size, size):
        rgb = rgb.resize((size, size), Image.Resampling.BOX)
    return np.asarray(rgb)
