"""Log-sum-exp over all pairs of a batch in tiles, so that memory does not grow with batch^2.

The backward pass computes the similarities of a tile again instead of keeping them. Where a batch meets itself, a tile
serves its rows and its columns, and half of the pairs are enough. Tiles are fixed by the shapes alone and are reduced
in order, so the bits do not change between runs.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import torch
from torch import Tensor

CUDA_TILE = (8192, 8192)

SMALL = 30.0
"""Exponentials of values up to this size, and sums of a great many, are far from the ends of float32."""


class Similarity(Protocol):
    """A similarity between all points of two sets, with its derivative written out.

    Points come coordinate by coordinate, as (dim, points), so that a coordinate of many points lies together.
    Numbers that a similarity holds get no gradient: what is trained has to reach it through the points.
    """

    is_distance: bool
    """Values are minus distances: never above 0, and 0 between a point and itself."""

    cpu_tile: tuple[int, int]
    """Rows and columns at most of a tile on a CPU: a few of them should stay in the cache of a core."""

    def values(self, query: Tensor, key: Tensor) -> Tensor:
        """s(query_i, key_j), shape (rows, keys), in memory of its own."""

    def largest(self, query: Tensor, key: Tensor) -> Tensor | None:
        """A number that no |s(query_i, key_j)| is above, if it costs less than the values; else None."""

    def gradients(self, query: Tensor, key: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients of sum_ij weights_ij s(query_i, key_j), shaped as query and key. May overwrite the weights."""


def streamed_logsumexp(query: Tensor, key: Tensor, similarity: Similarity, *, mask_self: bool) -> Tensor:
    """log sum_j exp s(query_i, key_j) for every i, in O(batch x tile) extra memory.

    Args:
        query: shape (batch, dim).
        key: shape (batch, dim). If it is the very tensor `query`, half of the work is saved.
        similarity: s with its gradients, symmetric in its two arguments.
        mask_self: leave out j = i.

    Returns:
        Shape (batch,), differentiable (once) in query and key.
    """
    return _StreamedLogSumExp.apply(query, None if key is query else key, similarity, mask_self)


class _StreamedLogSumExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, query, key, similarity, mask_self):
        query = query.T.contiguous()
        key = query if key is None else key.T.contiguous()
        pairs = _Pairs(query, key, similarity, mask_self)
        with _full_precision(query):
            result = pairs.logsumexp()
        ctx.similarity, ctx.mask_self, ctx.meets_itself = similarity, mask_self, pairs.meets_itself
        ctx.save_for_backward(query, key, result)
        return result

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        query, key, result = ctx.saved_tensors
        key = query if ctx.meets_itself else key
        with _full_precision(query):
            to_query, to_key = _Pairs(query, key, ctx.similarity, ctx.mask_self).gradients(result, gradient)
        return to_query.T, None if ctx.meets_itself else to_key.T, None, None


@dataclass(frozen=True)
class _Tile:
    """Some rows and some columns of the matrix of all pairs.

    Args:
        diagonal: rows and columns are the same.
        mirrored: the batch meets itself, and the tile stands for the one across the diagonal too.
    """

    rows: slice
    columns: slice
    diagonal: bool
    mirrored: bool


class _Pairs:
    """All pairs of the points (dim, batch) of `query` and `key`."""

    def __init__(self, query: Tensor, key: Tensor, similarity: Similarity, mask_self: bool):
        self.query, self.key, self.similarity, self.mask_self = query, key, similarity, mask_self
        self.meets_itself = query is key
        self.has_own_zero = self.meets_itself and similarity.is_distance
        self.all_are_small = self._all_are_small()
        # all are small, or at most 0 and in every row one is 0: exponentials neither overflow nor all vanish
        self.needs_no_maximum = self.all_are_small or (self.has_own_zero and not mask_self)

    def logsumexp(self) -> Tensor:
        """Of every row, shape (batch,)."""
        total = self.query.new_full((self.query.shape[1],), 0.0 if self.needs_no_maximum else -torch.inf)
        for tile in self._tiles():
            values = self._values(tile)
            if self.needs_no_maximum:
                self._exp_(values)
                total[tile.rows] += values.sum(1)
                if tile.mirrored:
                    total[tile.columns] += values.sum(0)
            else:
                total[tile.rows] = torch.logaddexp(total[tile.rows], values.logsumexp(1))
                if tile.mirrored:
                    total[tile.columns] = torch.logaddexp(total[tile.columns], values.logsumexp(0))
        return total.log_() if self.needs_no_maximum else total

    def gradients(self, result: Tensor, upstream: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients (dim, batch) to query and key, one tensor with both if they are the same.

        Args:
            result: what `logsumexp` returned.
            upstream: gradient of the loss to it.
        """
        to_query = torch.zeros_like(self.query)
        to_key = to_query if self.meets_itself else torch.zeros_like(self.key)
        for tile in self._tiles():
            weights = self._weights(tile, result, upstream)
            query_part, key_part = self.similarity.gradients(
                self.query[:, tile.rows], self.key[:, tile.columns], weights
            )
            to_query[:, tile.rows] += query_part
            to_key[:, tile.columns] += key_part
        return to_query, to_key

    def _exp_(self, values: Tensor) -> Tensor:
        return values.exp_() if self.all_are_small else _exp_(values)

    def _all_are_small(self) -> bool:
        if self.query.is_cuda:
            return False  # the host would have to wait for the answer
        largest = self.similarity.largest(self.query, self.key)
        return largest is not None and bool(largest <= SMALL)

    def _values(self, tile: _Tile) -> Tensor:
        values = self.similarity.values(self.query[:, tile.rows], self.key[:, tile.columns])
        if tile.diagonal and self.mask_self:
            values.diagonal().fill_(-torch.inf)
        elif tile.diagonal and self.has_own_zero:
            values.diagonal().zero_()  # whatever rounding made of it
        return values

    def _weights(self, tile: _Tile, result: Tensor, upstream: Tensor) -> Tensor:
        """Gradient of the loss to the similarities of a tile; of a mirrored one to those across the diagonal too."""
        values = self._values(tile)
        if self.needs_no_maximum:
            share = upstream * torch.exp(-result)
            weights = self._exp_(values)
            weights *= share[tile.rows, None] + share[tile.columns] if tile.mirrored else share[tile.rows, None]
        else:
            mirror = _exp_(values - result[tile.columns]).mul_(upstream[tile.columns]) if tile.mirrored else None
            weights = _exp_(values.sub_(result[tile.rows, None])).mul_(upstream[tile.rows, None])
            if mirror is not None:
                weights += mirror
        if tile.diagonal and (self.mask_self or self.has_own_zero):
            weights.diagonal().zero_()  # no part of the sum, or of no pull: a point has no distance to itself
        return weights

    def _tiles(self) -> Iterator[_Tile]:
        batch = self.query.shape[1]
        height, width = CUDA_TILE if self.query.is_cuda else self.similarity.cpu_tile
        for rows in _parts(0, batch, height):
            yield _Tile(rows, rows, diagonal=True, mirrored=False)
            for columns in _parts(rows.stop, batch, width):
                yield _Tile(rows, columns, diagonal=False, mirrored=self.meets_itself)
            if not self.meets_itself:
                for columns in _parts(0, rows.start, width):
                    yield _Tile(rows, columns, diagonal=False, mirrored=False)


def _exp_(values: Tensor) -> Tensor:
    """Exponentials in place. The smallest are rounded up to one that is still nothing next to the sum of a row:
    a processor takes a hundred times as long over subnormal numbers."""
    smallest = math.log(torch.finfo(values.dtype).tiny) + 30  # what they are multiplied with stays normal too
    return values.clamp_(min=smallest).exp_()


def _parts(start: int, stop: int, size: int) -> Iterator[slice]:
    """A range in equal parts, up to one, of at most `size`; none of them has one element if there are more."""
    count = -(-(stop - start) // size)
    edges = [start + (stop - start) * part // count for part in range(count + 1)] if count else []
    return (slice(left, right) for left, right in pairwise(edges))


@contextmanager
def _full_precision(points: Tensor) -> Iterator[None]:
    """Matrix products in float32 proper on a GPU, whatever the encoder is allowed."""
    before = torch.get_float32_matmul_precision()
    if not points.is_cuda or before == "highest":
        yield
        return
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)
