"""The unit sphere."""

from dataclasses import dataclass

import torch
from torch import Tensor

from demix.latents.densities.common.base import Density


@dataclass(frozen=True)
class Sphere:
    """The unit sphere in R^dim. Marginals are centred at the pole e1: at 0 they would all be uniform."""

    dim: int

    def middle(self) -> Tensor:
        """The pole e1, shape (dim,)."""
        return torch.eye(1, self.dim)[0]

    def draw(self, density: Density, center: Tensor, generator: torch.Generator) -> Tensor:
        """One sample around every row of `center`, shape (batch, dim)."""
        return density.on_sphere(center, generator)
