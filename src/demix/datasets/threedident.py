"""3DIdent rendered here: the latents of its images, which are drawn before anything is rendered."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from demix.datasets.common.threedident import AUTHORS
from demix.specs.datasets.common.threedident import LATENTS, SPLITS


class RenderedThreeDIdent:
    """Raw latents of rendered images.

    Args:
        train, test, held, seed: fields of the spec; the others are the renderer's.
    """

    constants: ClassVar = {"authors": AUTHORS}
    normalization: ClassVar = "own"

    def __init__(self, *, train: int, test: int, held: Mapping[str, float], seed: int, **renderer: Any):
        self.count = {"train": train, "test": test}
        self.held, self.seed = held, seed

    def latents(self, split: str) -> NDArray[np.float32]:
        """Raw latents of all images of a split, uniform on [-1, 1] unless held, (count, 10) float32.

        Row i is the same however many rows there are.
        """
        generator = np.random.default_rng([self.seed, SPLITS.index(split)])
        drawn = generator.uniform(-1, 1, (self.count[split], len(LATENTS))).astype(np.float32)
        for name, value in self.held.items():
            drawn[:, LATENTS.index(name)] = value
        return drawn
