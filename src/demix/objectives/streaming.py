"""Log-sum-exp over all pairs of a batch in blocks, so that memory does not grow with batch^2.

The backward pass computes the similarities of a block again instead of keeping them. Blocks are fixed by the
shapes alone and reduced in order, so the bits do not change between runs.
"""

from collections.abc import Iterator
from typing import Protocol

import torch
from torch import Tensor

CPU_BLOCK_ELEMENTS = 1 << 18  # 1 MiB in float32: a block stays in the cache of a core
CUDA_BLOCK_ELEMENTS = 1 << 26


class Similarity(Protocol):
    """A similarity between all rows of two matrices, with its derivative written out.

    Numbers that it holds get no gradient: what is trained has to reach it through the matrices.
    """

    def values(self, query: Tensor, key: Tensor) -> Tensor:
        """s(query_i, key_j), shape (rows, keys)."""

    def gradients(self, query: Tensor, key: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients of sum_ij weights_ij s(query_i, key_j) to query and key. May overwrite the weights."""


def streamed_logsumexp(query: Tensor, key: Tensor, similarity: Similarity, *, mask_self: bool) -> Tensor:
    """log sum_j exp s(query_i, key_j) for every i, in O(batch x block) extra memory.

    Args:
        query: shape (batch, dim).
        key: shape (batch, dim).
        similarity: s with its gradients.
        mask_self: leave out j = i.

    Returns:
        Shape (batch,), differentiable (once) in query and key.
    """
    return _StreamedLogSumExp.apply(query, key, similarity, mask_self)


class _StreamedLogSumExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, query, key, similarity, mask_self):
        ctx.similarity, ctx.mask_self = similarity, mask_self
        query, key = query.contiguous(), key.contiguous()
        result = query.new_empty(len(query))
        for rows in _blocks(query, key):
            result[rows] = _block_values(similarity, query, key, rows, mask_self).logsumexp(dim=1)
        ctx.save_for_backward(query, key, result)
        return result

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        query, key, result = ctx.saved_tensors
        to_query, to_key = torch.empty_like(query), torch.zeros_like(key)
        for rows in _blocks(query, key):
            values = _block_values(ctx.similarity, query, key, rows, ctx.mask_self)
            weights = values.sub_(result[rows, None]).exp_().mul_(gradient[rows, None])
            if ctx.mask_self:  # a lone pair has no negatives: exp(-inf + inf) is no number, its weight is 0
                weights.nan_to_num_(nan=0.0)
            to_query[rows], key_part = ctx.similarity.gradients(query[rows], key, weights)
            to_key += key_part
        return to_query, to_key, None, None


def _blocks(query: Tensor, key: Tensor) -> Iterator[slice]:
    elements = CUDA_BLOCK_ELEMENTS if query.is_cuda else CPU_BLOCK_ELEMENTS
    size = max(1, elements // len(key))
    return (slice(start, min(start + size, len(query))) for start in range(0, len(query), size))


def _block_values(similarity: Similarity, query: Tensor, key: Tensor, rows: slice, mask_self: bool) -> Tensor:
    values = similarity.values(query[rows], key)
    if mask_self:
        values.diagonal(rows.start).fill_(-torch.inf)
    return values
