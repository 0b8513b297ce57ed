"""Sequences of masks and their factors: vertical and horizontal centre, area."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FACTORS = ("vertical", "horizontal", "area")


@dataclass(frozen=True)
class MaskSequences:
    """Masks of many sequences, one after the other.

    Args:
        frames: (frames, height, width) uint8, 0 or 1.
        factors: (frames, 3) float32 in pixels, see `FACTORS`.
        lengths: (sequences,) int64; they add up to the number of frames. Some may be 0 or 1.
    """

    frames: NDArray
    factors: NDArray
    lengths: NDArray

    @property
    def firsts(self) -> NDArray:
        """Index of the first frame of every sequence."""
        return np.concatenate([[0], np.cumsum(self.lengths)[:-1]]).astype(np.int64)


def joined(masks: Sequence[NDArray], factors: Sequence[NDArray]) -> MaskSequences:
    """Sequences (length, height, width) and their factors (length, 3), put one after the other."""
    lengths = np.array([len(sequence) for sequence in masks], dtype=np.int64)
    frames = np.concatenate(list(masks)).astype(np.uint8)
    return MaskSequences(frames, np.concatenate(list(factors)).astype(np.float32), lengths)


def centre_and_area(masks: NDArray) -> NDArray:
    """Factors (frames, 3) of masks (frames, height, width): centre of mass in rows and columns, number of pixels."""
    area = masks.sum(axis=(1, 2), dtype=np.float64)
    rows = (masks.sum(axis=2) * np.arange(masks.shape[1])).sum(axis=1) / area
    columns = (masks.sum(axis=1) * np.arange(masks.shape[2])).sum(axis=1) / area
    return np.stack([rows, columns, area], axis=1).astype(np.float32)


def checked_pairs(masks: Iterable[Any], factors: Iterable[Any], size: int) -> MaskSequences:
    """Sequences from a foreign file, if they are what they should be.

    Args:
        masks: arrays (length, size, size) of booleans, or of 0 and 1.
        factors: arrays (length, 3) of finite numbers.
        size: height and width of a mask.

    Raises:
        ValueError: a sequence is something else, or there is none with two frames.
    """
    whole = []
    for number, (mask, factor) in enumerate(zip(masks, factors, strict=True)):
        mask, factor = np.asarray(mask), np.asarray(factor)
        where = f"sequence {number}"
        if mask.size and (mask.dtype != bool and not np.isin(mask, (0, 1)).all()):
            raise ValueError(f"{where}: masks hold more than 0 and 1 (dtype {mask.dtype})")
        if len(mask) and mask.shape[1:] != (size, size):
            raise ValueError(f"{where}: masks have shape {mask.shape}, not (length, {size}, {size})")
        if len(factor) != len(mask) or (len(mask) and factor.shape[1:] != (len(FACTORS),)):
            raise ValueError(f"{where}: {len(mask)} masks but factors of shape {factor.shape}")
        if not np.isfinite(factor.astype(np.float64)).all():
            raise ValueError(f"{where}: factors are not finite")
        whole.append((mask.reshape(-1, size, size), factor.reshape(-1, len(FACTORS))))
    if not any(len(mask) > 1 for mask, _ in whole):
        raise ValueError("no sequence has two frames")
    return joined([mask for mask, _ in whole], [factor for _, factor in whole])
