"""Sequences of images that lie one after the other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Sequences:
    """Where sequences begin and end.

    Args:
        lengths: (sequences,) int64; they add up to the number of images. Some may be 0 or 1.
    """

    lengths: NDArray

    @property
    def firsts(self) -> NDArray[np.int64]:
        """Number of the first image of every sequence."""
        return np.concatenate([[0], np.cumsum(self.lengths)[:-1]]).astype(np.int64)

    @property
    def owner(self) -> NDArray[np.int64]:
        """Sequence of every image, (images,)."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @property
    def last(self) -> NDArray[np.int64]:
        """Number of the last image of the sequence of every image, (images,)."""
        return np.repeat(self.firsts + self.lengths - 1, self.lengths)

    def starts(self, wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
        """All images of some sequences but the last of each.

        Args:
            wanted: which sequences, (sequences,).

        Raises:
            ValueError: none of them has two images.
        """
        chosen = np.flatnonzero(wanted & (self.lengths > 1))
        if not len(chosen):
            raise ValueError("no sequence with two frames is left to draw from; hold out another share of them")
        firsts, lengths = self.firsts[chosen], self.lengths[chosen]
        return np.concatenate([np.arange(a, a + n - 1) for a, n in zip(firsts, lengths, strict=True)])
