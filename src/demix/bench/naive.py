"""The losses as one writes them down first, all pairs of the batch in one tensor: what ours is held against."""

from collections.abc import Callable

import torch
from torch import Tensor

Similarities = Callable[[str, Tensor], Tensor]
"""An exponent or "dot" and codes (batch, dim) to the similarities of all pairs, (batch, batch)."""


def by_broadcast(p: str, codes: Tensor) -> Tensor:
    """Similarities of all pairs from a tensor (batch, batch, dim); for the dot product by a matrix product."""
    if p == "dot":
        return codes @ codes.T
    return -(codes[:, None] - codes[None]).abs().pow(int(p)).sum(-1)


def by_matrix_product(p: str, codes: Tensor) -> Tensor:
    """The same through matrix products where that is possible: "dot" and "2"."""
    if p != "2":
        return by_broadcast(p, codes)
    squares = codes.square().sum(-1)
    return 2 * codes @ codes.T - squares[:, None] - squares


def by_cdist(p: str, codes: Tensor) -> Tensor:
    """The same through `torch.cdist`, which has no dot product."""
    return -torch.cdist(codes, codes, p=float(p)).pow(int(p))


def naive_infonce(p: str, anchor: Tensor, positive: Tensor, similarities: Similarities) -> Tensor:
    """InfoNCE of every pair in the convention of the printed tables, from the whole matrix of similarities."""
    own = (anchor * positive).sum(-1) if p == "dot" else -(anchor - positive).abs().pow(int(p)).sum(-1)
    return torch.logaddexp(similarities(p, anchor).logsumexp(1), own) - own
