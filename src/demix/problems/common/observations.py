"""Observations that are too many to hold: read piece by piece when they are encoded."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor


@dataclass(frozen=True)
class Stored:
    """Observations on disk, and how a network is to see them.

    Args:
        read: observations (n, ...) by their numbers.
        numbers: which, in order.
        size: how many make a batch; a network with batch norm takes its statistics from each.
        running_averages: encode with the running averages of batch norm (evaluation mode) instead.
    """

    read: Callable[[NDArray[np.int64]], Tensor]
    numbers: NDArray[np.int64]
    size: int
    running_averages: bool = False

    def __len__(self) -> int:
        return len(self.numbers)

    def batches(self) -> Iterator[Tensor]:
        """All observations, a batch at a time; the last one may be shorter."""
        for first in range(0, len(self.numbers), self.size):
            yield self.read(self.numbers[first : first + self.size])
