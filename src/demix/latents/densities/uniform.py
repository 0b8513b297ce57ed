"""The constant density on a bounded space."""

from dataclasses import dataclass

import torch
from torch import Tensor

from demix.latents.densities.common.base import Density


@dataclass(frozen=True)
class Uniform(Density):
    """Constant density; the centre gives only the shape."""

    def on_sphere(self, center: Tensor, generator: torch.Generator) -> Tensor:
        """A normalised Gaussian, shape (batch, dim)."""
        gaussian = torch.empty_like(center).normal_(generator=generator)
        return torch.nn.functional.normalize(gaussian, dim=-1)

    def in_box(self, center: Tensor, low: float, high: float, generator: torch.Generator) -> Tensor:
        """Uniform on [low, high) in every coordinate."""
        return torch.empty_like(center).uniform_(low, high, generator=generator)
