"""Output layers: the space that an encoder's codes live in."""

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


class BoxOutput(nn.Module):
    """sigmoid(y) * bound, coordinate by coordinate; the papers' "L-infinity normalisation".

    Args:
        dim: number of codes.
        bound: upper end of every coordinate, or its start if learnable. Its sign is not constrained.
        learnable: train the bounds.
    """

    def __init__(self, dim: int, *, bound: float = 1.0, learnable: bool = True):
        super().__init__()
        self.bound = nn.Parameter(torch.full((dim,), float(bound)), requires_grad=learnable)

    def forward(self, y: Tensor) -> Tensor:
        """Codes (batch, dim) in the box [0, bound_k]."""
        return self.bound * torch.sigmoid(y)


class UnboundedOutput(nn.Identity):
    """y as it is.

    Args:
        dim: number of codes.
    """

    def __init__(self, dim: int):
        super().__init__()


class GaussianOutput(nn.Identity):
    """Means and log-variances of a posterior, side by side, (batch, 2 dim); its codes are the means.

    Args:
        dim: number of codes.
    """

    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def codes(self, y: Tensor) -> Tensor:
        """The means, (batch, dim)."""
        return y[:, : self.dim]
