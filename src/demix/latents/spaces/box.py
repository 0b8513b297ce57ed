"""A hyperrectangle."""

from dataclasses import dataclass

import torch
from torch import Tensor

from demix.latents.densities.common.base import Density


@dataclass(frozen=True)
class Box:
    """The hyperrectangle [low, high]^dim. Marginals are centred in its middle."""

    dim: int
    low: float = 0.0
    high: float = 1.0

    def middle(self) -> Tensor:
        """The centre of the box, shape (dim,)."""
        return torch.full((self.dim,), (self.low + self.high) / 2)

    def draw(self, density: Density, center: Tensor, generator: torch.Generator) -> Tensor:
        """One sample around every row of `center`, truncated to the box, shape (batch, dim)."""
        return density.in_box(center, self.low, self.high, generator)
