"""The latents of pictures that are rendered for a figure, in the order of its cells, row by row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demix.specs.pictures import LATENTS


class Traversals:
    """One latent at a time (columns) takes several values (rows) while the others stay at 0.

    Args:
        values: raw.
    """

    def __init__(self, *, values: Sequence[float], **renderer: Any):
        self.values = values

    def latents(self, split: str) -> NDArray[np.float32]:
        """Raw latents, (rows * 10, 10) float32."""
        return np.concatenate([value * np.eye(len(LATENTS)) for value in self.values]).astype(np.float32)


class Gallery:
    """Random pictures.

    Args:
        columns, rows: of the figure.
        seed: of the latents.
    """

    def __init__(self, *, columns: int, rows: int, seed: int, **renderer: Any):
        self.count, self.seed = columns * rows, seed

    def latents(self, split: str) -> NDArray[np.float32]:
        """Raw latents, (columns * rows, 10) float32, uniform on [-1, 1]."""
        return np.random.default_rng([self.seed, 0x6A11]).uniform(-1, 1, (self.count, len(LATENTS))).astype(np.float32)
