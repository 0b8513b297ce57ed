"""Sequences of masks on disk: arrays that can be mapped into memory, with an index and a card.

frames.npy holds all masks one after the other, (frames, height, width) uint8 of 0 and 1; factors.npy their vertical and
horizontal centre and their area in pixels, (frames, 3) float32; lengths.npy the length of every sequence.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demix.datasets.common.card import write_available
from demix.datasets.common.mask_sequences import FACTORS, MaskSequences
from demix.specs.base import Component
from demix.support.errors import DataError
from demix.support.files import replacing

NAMES = ("frames", "factors", "lengths")
FILES = tuple(f"{name}.npy" for name in NAMES)


def write_sequences(sequences: MaskSequences, folder: Path, spec: Component, key: str, attempt: int = 1) -> None:
    """Write the arrays and, last, the card."""
    for name in NAMES:
        with replacing(folder / f"{name}.npy") as temporary:
            np.save(temporary, getattr(sequences, name))
    pairs = int(np.maximum(sequences.lengths - 1, 0).sum())
    counts = {"sequences": len(sequences.lengths), "frames": len(sequences.frames), "neighbouring_pairs": pairs}
    paths = [folder / file for file in FILES]
    write_available(folder, spec, key, paths, counts, _statistics(sequences), attempt)


def _statistics(sequences: MaskSequences) -> dict[str, Any]:
    lengths, factors = sequences.lengths, sequences.factors
    steps = np.diff(factors, axis=0)[_within(lengths)]
    return {
        "height": sequences.frames.shape[1],
        "width": sequences.frames.shape[2],
        "length": {"lowest": int(lengths.min()), "mean": float(lengths.mean()), "highest": int(lengths.max())},
        "foreground": float(factors[:, 2].mean() / np.prod(sequences.frames.shape[1:])),
        **{name: _range(factors[:, column]) for column, name in enumerate(FACTORS)},
        **{f"{name}_step": _range(steps[:, column]) for column, name in enumerate(FACTORS) if len(steps)},
    }


def _within(lengths: NDArray) -> NDArray:
    """Which differences of neighbouring frames lie within one sequence, (frames - 1,)."""
    sequence = np.repeat(np.arange(len(lengths)), lengths)
    return sequence[1:] == sequence[:-1]


def _range(values: NDArray) -> dict[str, float]:
    summary = {"lowest": values.min(), "mean": values.mean(), "std": values.std(), "highest": values.max()}
    return {name: round(float(value), 4) for name, value in summary.items()}


def read_sequences(folder: Path) -> MaskSequences:
    """The arrays of a folder, mapped into memory.

    Raises:
        DataError: a file is missing or damaged, or they do not fit each other.
    """
    arrays = {}
    for name, file in zip(NAMES, FILES, strict=True):
        try:
            arrays[name] = np.load(folder / file, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise DataError(f"{folder / file}: not readable ({error}); delete {folder} to have it made again") from None
    sequences = MaskSequences(**arrays)
    if not len(sequences.frames) == len(sequences.factors) == int(sequences.lengths.sum()):
        raise DataError(f"{folder}: its files do not fit each other; delete it to have it made again")
    return sequences
