"""Sequences of masks of one silhouette with three factors: vertical and horizontal centre, area."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demix.datasets.common.conversion import Conversion, whole
from demix.datasets.common.sequences import Sequences

FACTORS = ("vertical", "horizontal", "area")


def mask_data(masks: Sequence[NDArray], factors: Sequence[NDArray]) -> Conversion:
    """Masks as a data set.

    Args:
        masks: sequences (length, height, width) of booleans, or of 0 and 1. Some may be empty.
        factors: theirs, (length, 3) in pixels, see `FACTORS`.
    """
    lengths = np.array([len(sequence) for sequence in masks], dtype=np.int64)
    frames = np.concatenate(list(masks)).astype(np.uint8)[..., None]
    values = np.concatenate(list(factors)).astype(np.float32)
    pairs = int(np.maximum(lengths - 1, 0).sum())
    counts = {"sequences": len(lengths), "frames": len(frames), "neighbouring_pairs": pairs}
    facts = _statistics(values, lengths, int(np.prod(frames.shape[1:])))
    return Conversion({"train": whole(frames, lengths=lengths, factors=values)}, white=1, counts=counts, facts=facts)


def _statistics(factors: NDArray, lengths: NDArray, pixels: int) -> dict[str, Any]:
    owner = Sequences(lengths).owner
    steps = np.diff(factors, axis=0)[owner[1:] == owner[:-1]]
    return {
        "length": {"lowest": int(lengths.min()), "mean": float(lengths.mean()), "highest": int(lengths.max())},
        "foreground": float(factors[:, 2].mean() / pixels),
        **{name: _range(factors[:, column]) for column, name in enumerate(FACTORS)},
        **{f"{name}_step": _range(steps[:, column]) for column, name in enumerate(FACTORS) if len(steps)},
    }


def _range(values: NDArray) -> dict[str, float]:
    summary = {"lowest": values.min(), "mean": values.mean(), "std": values.std(), "highest": values.max()}
    return {name: round(float(value), 4) for name, value in summary.items()}


def centre_and_area(masks: NDArray) -> NDArray:
    """Factors (frames, 3) of masks (frames, height, width): centre of mass in rows and columns, number of pixels."""
    area = masks.sum(axis=(1, 2), dtype=np.float64)
    rows = (masks.sum(axis=2) * np.arange(masks.shape[1])).sum(axis=1) / area
    columns = (masks.sum(axis=1) * np.arange(masks.shape[2])).sum(axis=1) / area
    return np.stack([rows, columns, area], axis=1).astype(np.float32)


def checked_masks(masks: Iterable[Any], factors: Iterable[Any], size: int) -> tuple[list[NDArray], list[NDArray]]:
    """Sequences from a foreign file, if they are what they should be.

    Args:
        masks: arrays (length, size, size) of booleans, or of 0 and 1.
        factors: arrays (length, 3) of finite numbers.
        size: height and width of a mask.

    Raises:
        ValueError: a sequence is something else, or there is none with two frames.
    """
    sequences = []
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
        sequences.append((mask.reshape(-1, size, size), factor.reshape(-1, len(FACTORS))))
    if not any(len(mask) > 1 for mask, _ in sequences):
        raise ValueError("no sequence has two frames")
    return [mask for mask, _ in sequences], [factor for _, factor in sequences]
