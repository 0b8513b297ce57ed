"""Codes in a box."""

import torch
from torch import Tensor, nn


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
