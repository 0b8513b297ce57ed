"""The latent spaces: where their densities are centred, and how a density is drawn on them."""

from dataclasses import dataclass

import torch
from torch import Tensor

from demix.densities.base import Density


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
