"""Codes on a sphere."""

import torch
from torch import Tensor, nn


class SphereOutput(nn.Module):
    """y / |y| * radius.

    Args:
        dim: number of codes.
        radius: the radius, or its start if learnable. With tau = 1 a fixed radius 1 is the tables' vMF(kappa = 1).
        learnable: train the radius.
    """

    def __init__(self, dim: int, *, radius: float = 1.0, learnable: bool = False):
        super().__init__()
        self.radius = nn.Parameter(torch.tensor(radius), requires_grad=learnable)

    def forward(self, y: Tensor) -> Tensor:
        """Codes (batch, dim) on the sphere."""
        return self.radius * nn.functional.normalize(y, dim=-1)
