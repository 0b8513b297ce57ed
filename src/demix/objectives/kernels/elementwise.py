"""Sums over coordinates of |difference|^p for all pairs of a tile, one in-place operation after the other.

What people without a compiler get, and what defines the functions that `demix.objectives.kernels.compiled` compiles.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

CPU_TILE = (256, 512)  # half a MiB in float32: two stay in the cache of a core


@dataclass(frozen=True)
class Kernels:
    """The two functions that an Lp similarity spends its time in, for one exponent.

    Args:
        name: of the backend, for the record.
        power_sum: points (dim, rows) and (dim, keys) to sum_k |query_ki - key_kj|^p, shape (rows, keys); exactly zero
            for equal points.
        weighted_slopes: the same and weights (rows, keys) to the sums over keys and over rows of
            weights_ij sign(d) |d|^(p - 1), d = query_ki - key_kj, of shapes (dim, rows) and (dim, keys). Does not
            change its arguments.
        cpu_tile: rows and columns of a tile that they are fast with.
    """

    name: str
    power_sum: Callable[[Tensor, Tensor], Tensor]
    weighted_slopes: Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]
    cpu_tile: tuple[int, int]


def eager_kernels(exponent: float) -> Kernels:
    """The functions of an exponent, as torch's own operations."""
    return Kernels(
        name="eager",
        power_sum=lambda query, key: _power_sum(query, key, exponent),
        weighted_slopes=lambda query, key, weights: _weighted_slopes(query, key, weights, exponent),
        cpu_tile=CPU_TILE,
    )


def _power_sum(query: Tensor, key: Tensor, exponent: float) -> Tensor:
    total = query.new_zeros(query.shape[1], key.shape[1])
    part, square = torch.empty_like(total), torch.empty_like(total)
    for q, k in zip(query, key, strict=True):
        torch.sub(q[:, None], k, out=part)
        if exponent == 1:
            total += part.abs_()
        elif exponent == 2:
            total.addcmul_(part, part)
        elif exponent == 3:  # a general power takes ten times as long
            torch.mul(part, part, out=square)
            total.addcmul_(part.abs_(), square)
        else:
            total += part.abs_().pow_(exponent)
    return total


def _weighted_slopes(query: Tensor, key: Tensor, weights: Tensor, exponent: float) -> tuple[Tensor, Tensor]:
    to_query, to_key = query.new_empty(query.shape), key.new_empty(key.shape)
    slope, size = torch.empty_like(weights), torch.empty_like(weights)
    for k in range(len(query)):
        torch.sub(query[k, :, None], key[k], out=slope)
        if exponent == 1:
            slope.sign_()
        elif exponent == 3:
            slope.mul_(torch.abs(slope, out=size))
        elif exponent != 2:
            torch.abs(slope, out=size)
            slope.sign_().mul_(size.pow_(exponent - 1))
        slope.mul_(weights)
        torch.sum(slope, 1, out=to_query[k])
        torch.sum(slope, 0, out=to_key[k])
    return to_query, to_key
