"""The contract of data sets: what an implementation has, and the records that it gets and returns.

A data set is two classes. The spec, a subclass of `demix.specs.datasets.DatasetSpec`, says what is in it without any
data: shape, factors, files to fetch. The implementation has one method, `convert`; `python -m demix.obtain_data` does
the rest: it hands over the files that were fetched, writes the arrays and the data card, and if `convert` raises a
DataError, a card that says why there is no data. A whole data set of a user's own, in a module beside their
configuration, with kind "module:DotsSpec":

    class DotsSpec(DatasetSpec):
        external: ClassVar[bool] = False  # made here: always available
        count: int = 20

        @property
        def shape(self): return 1, 16, 16

        @property
        def factors(self): return "row", "column"

    class Dots:
        def __init__(self, *, count): self.count = count

        def convert(self, inputs):
            factors = ...  # (count, 2) float32
            images = ...  # (count, 16, 16, 1) uint8
            return Conversion({"train": whole(images, factors=factors)})

Where the spec asks for `shards` images are rendered: the implementation has `latents(split)` in place of `convert`.
An implementation may also have `constants` (mean and std to normalise with, by name), `normalization` (what "default"
means: "none", "own" or one of the constants; else "none"), and `open(folder)`, where `convert` has left its data in a
form of its own.

The module of the implementation, with what it imports, counts in the key of every training on the data: an edit trains
them again. Code that only downloads or writes files therefore belongs in another module.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from demix.support.errors import DataError

Chunk = tuple[NDArray[np.uint8], Mapping[str, NDArray]]
"""Some images, (n, height, width, channels) uint8, and what is known of them by name, a row for each."""


@dataclass(frozen=True)
class Inputs:
    """What a data set is made from.

    Args:
        folder: of the data; it exists.
        files: those that the spec asks for, by their name.
    """

    folder: Path
    files: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Split:
    """Images of a split on their way to disk.

    Args:
        count: how many there are.
        chunks: all images in order, a few at a time. They are iterated over once, so a generator can make or read them
            one after the other, and they never all have to be in memory.
        lengths: number of frames in each sequence, (sequences,), if the images are frames of sequences, else None.
    """

    count: int
    chunks: Iterable[Chunk]
    lengths: NDArray | None = None


def whole(images: NDArray[np.uint8], *, lengths: NDArray | None = None, **known: NDArray) -> Split:
    """A split whose images (n, height, width, channels) are in memory, with what is known of them by name."""
    return Split(len(images), [(images, known)], lengths)


@dataclass(frozen=True)
class Conversion:
    """What `convert` gives.

    Args:
        splits: by name. "train" is trained on; the others are for evaluation, as the spec says.
        white: the byte that becomes 1.0 when images are turned into numbers in [0, 1]: 255, or 1 for masks.
        counts: further counts for the data card, such as the number of sequences.
        facts: statistics for the data card, such as ranges of factors.
        files: further files that `convert` has written itself; the card's hash covers them.
    """

    splits: Mapping[str, Split]
    white: int = 255
    counts: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    files: Sequence[Path] = ()


class Converted(Protocol):
    """A data set that is made, or converted from files."""

    def convert(self, inputs: Inputs) -> Conversion:
        """All of its images.

        Raises:
            DataError: an input is damaged or holds something else.
        """


class Rendered(Protocol):
    """A data set whose images are rendered."""

    def latents(self, split: str) -> NDArray[np.float32]:
        """Raw latents of all images of a split, (n, latents). Row i is the same however many rows there are."""


class NotAvailableError(DataError):
    """The data cannot be had.

    Args:
        reason: what is wrong, as one clause.
        remedy: what the user can do.
    """

    def __init__(self, reason: str, remedy: str):
        super().__init__(f"{reason}; {remedy}")
        self.reason, self.remedy = reason, remedy
