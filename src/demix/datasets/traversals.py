"""The latents of images that show one latent at a time, in the order of the cells of a figure, row by row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demix.specs.datasets.common.threedident import LATENTS


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
