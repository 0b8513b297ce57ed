"""The latents of random images, in the order of the cells of a figure, row by row."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from demix.specs.datasets.common.threedident import LATENTS


class Gallery:
    """Random images.

    Args:
        columns, rows: of the figure.
        seed: of the latents.
    """

    def __init__(self, *, columns: int, rows: int, seed: int, **renderer: Any):
        self.count, self.seed = columns * rows, seed

    def latents(self, split: str) -> NDArray[np.float32]:
        """Raw latents, (columns * rows, 10) float32, uniform on [-1, 1]."""
        return np.random.default_rng([self.seed, 0x6A11]).uniform(-1, 1, (self.count, len(LATENTS))).astype(np.float32)
