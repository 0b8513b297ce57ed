"""Minus distances as similarities: what the Lp losses and AnInfoNCE compare points with."""

import torch
from torch import Tensor

from demix.objectives.kernels.elementwise import Kernels


class MinusLp:
    """-sum_k |u_k - v_k|^p, or minus the p-th root of the sum if not `power`.

    Args:
        exponent: p >= 1.
        power: the sum itself rather than its p-th root.
        kernels: functions of that exponent.
    """

    is_distance = True

    def __init__(self, exponent: float, power: bool, kernels: Kernels):
        self.exponent, self.power, self.kernels = exponent, power, kernels
        self.cpu_tile = kernels.cpu_tile

    def values(self, query: Tensor, key: Tensor) -> Tensor:
        """Shape (rows, keys)."""
        total = self.kernels.power_sum(query, key)
        if not self.power:
            total = total.pow_(1 / self.exponent)
        return total.neg_()

    def largest(self, query: Tensor, key: Tensor) -> None:
        """Not known: the distances that training takes most need none."""

    def gradients(self, query: Tensor, key: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients of minus sum_ij weights_ij distance(query_i, key_j); 0 where the points coincide."""
        factor = self.exponent
        if not self.power:
            root = self.kernels.power_sum(query, key).pow_(1 / self.exponent - 1)
            weights = weights.mul_(root.masked_fill_(torch.isinf(root), 0.0))
            factor = 1.0
        to_query, to_key = self.kernels.weighted_slopes(query, key, weights)
        return to_query.mul_(-factor), to_key.mul_(factor)


class MinusSquaredEuclidean:
    """-|u - v|^2 by matrix products, as 2 <u, v> - |u|^2 - |v|^2. Points must be centred before (see `centred`)."""

    is_distance = True
    cpu_tile = (512, 512)

    def values(self, query: Tensor, key: Tensor) -> Tensor:
        """Shape (rows, keys)."""
        left = torch.cat([query, query.square().sum(0, keepdim=True), query.new_ones(1, query.shape[1])])
        right = torch.cat([2 * key, key.new_full((1, key.shape[1]), -1.0), -key.square().sum(0, keepdim=True)])
        return (left.T @ right).clamp_(max=0)  # rounding can make a small distance negative

    def largest(self, query: Tensor, key: Tensor) -> Tensor:
        """The square of the sum of the largest lengths."""
        return (query.norm(dim=0).max() + key.norm(dim=0).max()).square()

    def gradients(self, query: Tensor, key: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients of minus sum_ij weights_ij |query_i - key_j|^2."""
        to_query = weights @ _with_ones(key).T  # (rows, dim + 1)
        to_key = _with_ones(query) @ weights  # (dim + 1, keys)
        to_query = (to_query[:, :-1] - to_query[:, -1:] * query.T).mul_(2).T
        return to_query, (to_key[:-1] - to_key[-1] * key).mul_(2)


def _with_ones(points: Tensor) -> Tensor:
    return torch.cat([points, points.new_ones(1, points.shape[1])])


def centred(*points: Tensor) -> list[Tensor]:
    """Sets of points (batch, dim) shifted by one vector so that the first has mean zero.

    No distance changes, so the shift is a constant to gradients; matrix products lose fewer digits.
    """
    center = points[0].detach().mean(0)
    return [part - center for part in points]
