"""Shards of rendered pictures, the Parquet files of `demix_render.shard`, as training reads them.

Read here once more, not through that program's code: it lives in another environment.
"""

import hashlib
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from demix.datasets.picture_folder import Chunk
from demix.errors import DataError
from demix.specs.pictures import LATENTS, Rendering

REMEDY = "delete it to have it rendered again"
CHUNK = 100


@dataclass(frozen=True)
class PictureShard:
    """An open shard.

    Args:
        first: index of its first picture.
        latents: raw, (n, 10) float32.
        pictures: as PNG.
        about: how they were made, such as "blender" and "device".
    """

    first: int
    latents: NDArray[np.float32]
    pictures: list[bytes]
    about: dict[str, Any]


def read_shard(path: Path) -> PictureShard:
    """A shard whose pictures have been compared with their digest.

    Raises:
        DataError: it is missing or damaged.
    """
    try:
        table = pq.read_table(path, page_checksum_verification=True)
        about = json.loads((table.schema.metadata or {})[b"demix"])
        pictures = table["picture"].to_pylist()
        latents = np.stack([table[name].to_numpy() for name in LATENTS], axis=1)
        first, expected = int(table["index"][0].as_py()), about.pop("pictures")
    except (OSError, ValueError, KeyError, IndexError) as error:  # ArrowInvalid is a ValueError
        reason = str(error).splitlines()[0]
        raise DataError(f"{path}: not a shard of pictures ({reason}); {REMEDY}") from None
    digest = hashlib.sha256(b"".join(hashlib.sha256(picture).digest() for picture in pictures))
    if digest.hexdigest() != expected:
        raise DataError(f"{path}: its pictures are damaged; {REMEDY}")
    return PictureShard(first, latents, pictures, about)


def decoded(pictures: Iterable[bytes]) -> NDArray[np.uint8]:
    """Pictures (n, size, size, 3) uint8 from PNG."""
    from PIL import Image

    return np.stack([np.asarray(Image.open(io.BytesIO(content)).convert("RGB")) for content in pictures])


class ShardReader:
    """Reads the shards of a data set in order.

    Args:
        spec: what the pictures must be.
    """

    def __init__(self, spec: Rendering):
        self._spec = spec
        self.made_by: dict[str, list[str]] = {}

    def chunks(self, paths: Iterable[Path], latents: NDArray[np.float32]) -> Iterator[Chunk]:
        """Pictures and their latents, some at a time.

        Args:
            paths: shards of one split in order.
            latents: those that were asked for, (n, 10).

        Raises:
            DataError: a shard is damaged, or holds other pictures than it should.
        """
        done = 0
        for path in paths:
            shard = read_shard(path)
            self._check(path, shard, latents[done : done + len(shard.pictures)], done)
            for start in range(0, len(shard.pictures), CHUNK):
                part = slice(start, start + CHUNK)
                yield decoded(shard.pictures[part]), shard.latents[part]
            done += len(shard.pictures)

    def _check(self, path: Path, shard: PictureShard, latents: NDArray, first: int) -> None:
        spec = self._spec
        wanted: dict[str, Any] = {"size": spec.pixels, "samples": spec.samples_a_pixel}
        wanted |= {"hue_mode": spec.hue_mode, "z_scale": spec.z_scale}
        for name, value in wanted.items():
            if shard.about.get(name) != value:
                raise DataError(f"{path}: made with {name} {shard.about.get(name)}, not {value}; {REMEDY}")
        if shard.first != first or not np.array_equal(shard.latents, latents):
            raise DataError(f"{path}: has other latents than those that were drawn; {REMEDY}")
        for name in ("blender", "device"):
            known = self.made_by.setdefault(name, [])
            known += [shard.about[name]] if shard.about[name] not in known else []
