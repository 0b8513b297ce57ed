"""Images and what is known of them on disk, as training reads them.

For each split <split>_images.npy, (n, height, width, channels) uint8; <split>_<name>.npy for everything that is known
of them by name, a row for each image, such as "factors" (n, factors) float32; <split>_lengths.npy where they are frames
of sequences; and images.json, which says what there is. The split "train" is trained on.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from demix.datasets.common.sequences import Sequences
from demix.support.errors import DataError

INDEX = "images.json"
TRAIN = "train"
"""The split that is trained on."""

IMAGES, LENGTHS = "images", "lengths"


@dataclass(frozen=True)
class ImageData:
    """Open data.

    Args:
        images: by split, (n, height, width, channels) uint8, mapped into memory.
        known: by split and name, a row for each image: "factors" (n, factors) float32, those that vary in the order of
            the data set's spec; "labels" (n,) and others as a data set has them.
        sequences: by split, where its images are frames of sequences.
        white: the byte that stands for 1.
        mean, std: of the channels of the images to train on, in [0, 1]; std is the mean of the images' own.
    """

    images: Mapping[str, NDArray[np.uint8]]
    known: Mapping[str, Mapping[str, NDArray]]
    sequences: Mapping[str, Sequences] = field(default_factory=dict)
    white: int = 255
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()


def array_file(folder: Path, split: str, what: str) -> Path:
    """Place of an array of a split: of its images, their lengths or something that is known of them."""
    return folder / f"{split}_{what}.npy"


def open_images(folder: Path) -> ImageData:
    """The data of a folder, with its images mapped into memory.

    Raises:
        DataError: a file is missing or damaged, or they do not fit each other.
    """
    index = _index(folder / INDEX)
    images = {split: _mapped(array_file(folder, split, IMAGES)) for split in index["splits"]}
    known = {
        split: {name: np.array(_mapped(array_file(folder, split, name))) for name in names}
        for split, names in index["splits"].items()
    }
    sequences = {split: Sequences(np.array(_mapped(array_file(folder, split, LENGTHS)))) for split in index[LENGTHS]}
    sizes = [len(array) - len(images[split]) for split, arrays in known.items() for array in arrays.values()]
    sizes += [int(found.lengths.sum()) - len(images[split]) for split, found in sequences.items()]
    if any(sizes) or any(array.ndim != 4 for array in images.values()):
        raise DataError(f"{folder}: its files do not fit each other; delete it to have it made again")
    return ImageData(images, known, sequences, index["white"], tuple(index["mean"]), tuple(index["std"]))


def _index(file: Path) -> dict:
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise DataError(f"{file}: not readable ({error}); delete {file.parent} to have it made again") from None


def _mapped(file: Path) -> NDArray:
    try:
        return np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise DataError(f"{file}: not readable ({error}); delete {file.parent} to have it made again") from None
