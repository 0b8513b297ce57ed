"""R^dim."""

from dataclasses import dataclass

import torch
from torch import Tensor

from demix.latents.densities.common.base import Density


@dataclass(frozen=True)
class Unbounded:
    """R^dim. Marginals are centred at 0."""

    dim: int

    def middle(self) -> Tensor:
        """The origin, shape (dim,)."""
        return torch.zeros(self.dim)

    def draw(self, density: Density, center: Tensor, generator: torch.Generator) -> Tensor:
        """One sample around every row of `center`, shape (batch, dim)."""
        return density.unbounded(center, generator)
