"""Pictures with their latents on disk: arrays that are mapped into memory, and a card.

For each split, train and test: <split>_pictures.npy, (count, size, size, 3) uint8, RGB; <split>_latents.npy,
(count, 10) float32, raw units, in the order of `demix.specs.pictures.LATENTS`. Neither writing nor reading ever holds
all pictures in memory.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from demix.datasets.common.card import CARD, write_available
from demix.datasets.common.picture_arrays import PictureFolder
from demix.specs.pictures import LATENTS, SPLITS, Pictures
from demix.support.errors import DataError
from demix.support.files import read_json, replacing

CHANNELS = 3
Chunk = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""Some pictures, (n, size, size, 3) uint8, and their raw latents, (n, 10)."""


def write_pictures(
    folder: Path,
    spec: Pictures,
    key: str,
    splits: Mapping[str, Iterable[Chunk]],
    about: Mapping[str, Any],
    attempt: int = 1,
) -> None:
    """Write the arrays and, last, the card.

    Args:
        folder: for the data.
        spec: says how many pictures there are and how large they are.
        key: digest of what decides the content, for the record.
        splits: "train" and "test", each as chunks in order; they are used up one at a time.
        about: what else a reader of the card wants to know, such as preset, hue_mode and source.
        attempt: which attempt this was.

    Raises:
        DataError: chunks have another shape, or are too many or too few.
    """
    statistics = {split: _write_split(folder, spec, split, splits[split]) for split in SPLITS}
    facts = {"size": spec.pixels, **statistics["train"], "source": spec.kind, **about}
    write_available(folder, spec, key, data_files(folder), spec.counts(), facts, attempt)


def data_files(folder: Path) -> list[Path]:
    """All data files of a folder, in a fixed order."""
    return [folder / f"{split}_{what}.npy" for split in SPLITS for what in ("pictures", "latents")]


def _write_split(folder: Path, spec: Pictures, split: str, chunks: Iterable[Chunk]) -> dict[str, list[float]]:
    """Write the two arrays of a split; mean and std of its channels."""
    count, size = spec.counts()[split], spec.pixels
    latents, moments, done = np.empty((count, len(LATENTS)), np.float32), Moments(), 0
    with replacing(folder / f"{split}_pictures.npy") as temporary:
        pictures = open_memmap(temporary, mode="w+", dtype=np.uint8, shape=(count, size, size, CHANNELS))
        for some, theirs in chunks:
            _check_chunk(some, theirs, size, split)
            if done + len(some) > count:
                raise DataError(f"{split}: more than the {count:,} pictures that there should be")
            pictures[done : done + len(some)], latents[done : done + len(some)] = some, theirs
            moments.add(some)
            done += len(some)
        if done < count:
            raise DataError(f"{split}: {done:,} pictures, but there should be {count:,}")
        pictures.flush()
        del pictures
    with replacing(folder / f"{split}_latents.npy") as temporary:
        np.save(temporary, latents)
    return moments.summary()


def _check_chunk(pictures: NDArray, latents: NDArray, size: int, split: str) -> None:
    if pictures.dtype != np.uint8 or pictures.shape[1:] != (size, size, CHANNELS):
        raise DataError(f"{split}: pictures of {pictures.dtype} {pictures.shape}, not uint8 (n, {size}, {size}, 3)")
    if latents.shape != (len(pictures), len(LATENTS)) or not (np.abs(latents) <= 1).all():
        raise DataError(f"{split}: latents of shape {latents.shape} are not ({len(pictures)}, 10) within [-1, 1]")


class Moments:
    """Mean of the channels and mean of every picture's own standard deviation, collected chunk by chunk."""

    def __init__(self) -> None:
        self._count, self._means, self._stds = 0, np.zeros(CHANNELS), np.zeros(CHANNELS)

    def add(self, pictures: NDArray[np.uint8]) -> None:
        """Take more pictures into account, (n, size, size, 3)."""
        for picture in pictures:
            values = picture.reshape(-1, CHANNELS).astype(np.float32) / 255
            self._means += values.mean(axis=0)
            self._stds += values.std(axis=0)
        self._count += len(pictures)

    def summary(self) -> dict[str, list[float]]:
        """ "mean" and "std" of the channels, for pictures in [0, 1]."""
        return {
            "mean": [round(float(value), 4) for value in self._means / max(self._count, 1)],
            "std": [round(float(value), 4) for value in self._stds / max(self._count, 1)],
        }


def open_pictures(folder: Path) -> PictureFolder:
    """The data of a folder, with its pictures mapped into memory.

    Raises:
        DataError: a file is missing or damaged, or they do not fit each other.
    """
    arrays = {file.stem: _mapped(file) for file in data_files(folder)}
    pictures, latents = ({split: arrays[f"{split}_{what}"] for split in SPLITS} for what in ("pictures", "latents"))
    for split in SPLITS:
        if pictures[split].ndim != 4 or latents[split].shape != (len(pictures[split]), len(LATENTS)):
            raise DataError(f"{folder}: its files do not fit each other; delete it to have it made again")
    statistics = read_json(folder / CARD).get("statistics", {})
    mean, std = (tuple(statistics.get(name, ())) for name in ("mean", "std"))
    if len(mean) != CHANNELS or len(std) != CHANNELS:
        raise DataError(f"{folder / CARD}: has no mean and std of {CHANNELS} channels; delete {folder} to redo it")
    return PictureFolder(pictures, {split: np.array(latents[split]) for split in SPLITS}, mean, std)


def _mapped(file: Path) -> NDArray:
    try:
        return np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise DataError(f"{file}: not readable ({error}); delete {file.parent} to have it made again") from None
