"""Sums over all pairs in tiles: nothing depends on the tiles, and none is as large as all pairs."""

import math

import numpy as np
import pytest
import torch
from losses import (
    CONVENTIONS,
    batch,
    every_convention,
    every_similarity,
    infonce,
    minus_lp,
    value_and_gradients,
)
from project import GOLDEN
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from demix.objectives.dot_infonce import DotSimilarity
from demix.objectives.kernels import streaming
from demix.objectives.kernels.streaming import streamed_logsumexp
from demix.objectives.lp_infonce import lp_infonce_terms


@pytest.mark.parametrize("exponent", [1.0, 2.0])
def test_alignment_and_uniformity_are_those_of_the_authors_code(exponent):
    golden = {key: torch.from_numpy(array) for key, array in np.load(GOLDEN / "align_uniform.npz").items()}
    anchor, positive, negative = golden["anchor"], golden["positive"], golden["negative"]
    alignment, _ = lp_infonce_terms(anchor, positive, exponent=exponent)
    uniformity = streamed_logsumexp(anchor, negative, minus_lp(exponent), mask_self=False) - math.log(48)
    torch.testing.assert_close(alignment.mean(), golden[f"align_p{exponent}"], rtol=1e-9, atol=0)
    torch.testing.assert_close(uniformity.mean(), golden[f"uniform_p{exponent}"], rtol=1e-9, atol=0)


@pytest.mark.parametrize("size", [(1, 1), (3, 5), (7, 4), (20, 20), (9, 50)], ids=str)
@every_convention
@every_similarity
def test_tiles_do_not_matter(similarity, convention, size, tiles):
    anchor, positive = batch(n=20, dim=4)
    tiles(1000, 1000)
    expected = value_and_gradients(similarity, anchor, positive, **convention)
    tiles(*size)
    for ours, theirs in zip(value_and_gradients(similarity, anchor, positive, **convention), expected, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-12, atol=1e-12)


@every_convention
@every_similarity
def test_small_values_need_no_maximum_and_cost_the_same(similarity, convention, tiles, monkeypatch):
    """A batch near 0, whose exponentials are summed as they are, and the same by way of the largest value."""
    tiles(7, 9)
    anchor, positive = batch(n=20, dim=4)
    direct = value_and_gradients(similarity, anchor, positive, **convention)
    monkeypatch.setattr(streaming, "SMALL", -1.0)
    for ours, theirs in zip(value_and_gradients(similarity, anchor, positive, **convention), direct, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("similarity", [DotSimilarity(), minus_lp(2)], ids=["dot", "p2"])
@pytest.mark.parametrize("length", [0.1, 2.0, 3.0, 7.0, 1e3])
def test_the_largest_value_is_no_less_than_any(similarity, length):
    torch.manual_seed(0)
    query, key = (length * torch.randn(3, 50, dtype=torch.float64) for _ in range(2))
    largest = similarity.largest(query, key)
    assert largest >= similarity.values(query, key).abs().max()
    pairs = streaming._Pairs(query, key, similarity, mask_self=False)
    assert pairs.needs_no_maximum == (largest <= streaming.SMALL)


@pytest.mark.parametrize("broken", [math.nan, math.inf])
def test_codes_that_are_no_numbers_are_not_small(broken):
    query = torch.ones(3, 5).index_fill(1, torch.tensor(2), broken)
    assert not streaming._Pairs(query, torch.ones(3, 5), DotSimilarity(), mask_self=False).needs_no_maximum


@pytest.mark.parametrize("batch_size", [1, 2, 3, 7, 256, 257, 600])
@pytest.mark.parametrize("meets_itself", [True, False])
def test_tiles_cover_every_pair_once(batch_size, meets_itself):
    points = torch.zeros(2, batch_size)
    pairs = streaming._Pairs(points, points if meets_itself else points.clone(), minus_lp(1), mask_self=False)
    count = torch.zeros(batch_size, batch_size)
    for tile in pairs._tiles():
        count[tile.rows, tile.columns] += 1
        if tile.mirrored:
            count[tile.columns, tile.rows] += 1
        assert batch_size == 1 or min(count[tile.rows, tile.columns].shape) > 1
    assert (count == 1).all()


@every_convention
@every_similarity
def test_two_runs_give_identical_bits(similarity, convention, tiles):
    tiles(20, 50)
    anchor, positive = batch(n=200, dim=10, dtype=torch.float32)
    first, second = (value_and_gradients(similarity, anchor, positive, **convention) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        assert torch.equal(one, other)


class LargestTensor(TorchDispatchMode):
    """Remembers the number of elements of the largest tensor that any operation returns."""

    elements = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        sizes = [leaf.numel() for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor)]
        self.elements = max([self.elements, *sizes])
        return result


def largest_tensor(loss, anchor, positive):
    with LargestTensor() as forward:
        total = loss(anchor, positive).sum()
    with LargestTensor() as backward:
        total.backward()
    return forward.elements, backward.elements


@pytest.mark.parametrize("convention", CONVENTIONS[::3], ids=str)
@every_similarity
def test_no_tensor_grows_with_the_square_of_the_batch(similarity, convention, tiles):
    block = 60 * 200
    tiles(60, 200)
    anchor, positive = (x.requires_grad_() for x in batch(n=600, dim=10, dtype=torch.float32))
    for elements in largest_tensor(lambda a, p: infonce(similarity, a, p, **convention), anchor, positive):
        assert anchor.numel() <= elements <= block


def test_the_measure_of_the_largest_tensor_sees_a_square():
    anchor, positive = (x.requires_grad_() for x in batch(n=60, dim=2))
    broadcast = largest_tensor(lambda a, p: (a[:, None] - p[None]).square().sum(-1).logsumexp(1), anchor, positive)
    assert min(broadcast) >= 60 * 60 * 2
