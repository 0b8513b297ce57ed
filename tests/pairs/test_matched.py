"""Matched pairs: nearest neighbours, what is drawn, how wide pairs are."""

import builtins

import numpy as np
import pytest
import torch

from demix.pairs.common.base import Samples
from demix.pairs.matched import InvertedFile, KDTree
from demix.specs.base import parse
from demix.specs.pairs.matched import MatchedSpec
from demix.support.building import build


def uniform(count, dim=10, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, (count, dim)).astype(np.float32)


def law_of(factors, seed=0, numbers=None, **fields):
    samples = Samples(np.arange(len(factors)) if numbers is None else numbers, {"factors": factors})
    return build(parse(MatchedSpec, fields, "pairs"), samples=samples, seed=seed, device="cpu")


def pairs(law, position, count):
    found = law.pairs(position, count)
    return found.anchor.numpy(), found.positive.numpy()


def test_a_k_d_tree_finds_what_a_search_of_everything_finds():
    points, queries = uniform(500), uniform(40, seed=1)
    distance = ((queries[:, None] - points) ** 2).sum(-1)
    assert np.array_equal(KDTree(points).nearest(queries, 3), distance.argsort(axis=1)[:, :3])
    assert KDTree(points).nearest(queries, 1).shape == (40, 1)


@pytest.mark.parametrize("anchors", ["matched", "data"])
def test_a_pair_is_never_one_image_twice_and_depends_on_seed_and_position(anchors, untouched_global_randomness):
    factors = uniform(300)
    first, other = pairs(law_of(factors, anchors=anchors), 0, 2000)
    assert (first != other).all()
    assert min(first.min(), other.min()) >= 0
    assert max(first.max(), other.max()) < 300
    again = law_of(factors, anchors=anchors)
    later = pairs(again, 9000, 10)
    assert np.array_equal(pairs(again, 0, 2000), [first, other])
    assert not np.array_equal(later[0], first[:10])
    assert not np.array_equal(pairs(law_of(factors, anchors=anchors, seed=1), 0, 2000)[0], first)


def test_only_images_that_are_trained_on_are_matched():
    factors, numbers = uniform(300), np.arange(100, 140)
    first, other = pairs(law_of(factors, numbers=numbers), 0, 500)
    assert set(first) | set(other) <= set(numbers)
    few = pairs(law_of(factors[numbers]), 0, 500)
    assert np.array_equal(few, np.array([first, other]) - 100)


def test_both_are_matched_and_the_second_is_drawn_around_the_draw():
    """With a wide box and few images, the nearest image of a draw is not where the draw was."""
    grid = np.stack(np.meshgrid(*2 * [np.linspace(-0.8, 0.8, 5)]), axis=-1).reshape(-1, 2)
    first, other = pairs(law_of(grid, conditional={"kind": "normal", "std": 0.001}), 0, 4000)
    difference = np.abs(grid[first] - grid[other])
    # nearly always z~' falls on z itself, so that the second neighbour is a neighbour on the grid
    assert np.allclose(difference.sum(axis=1), 0.4)
    assert np.allclose(np.bincount(first, minlength=25) / 4000, 1 / 25, atol=0.012)  # cells have equal areas


def test_the_width_of_pairs_as_drawn_and_after_matching():
    factors = uniform(20_000)
    facts = law_of(factors).facts()
    assert abs(facts["pair_width_drawn"] - 0.098) < 0.001  # 0.1, cut at the box
    assert facts["pair_width"] > 0.28  # the nearest of 20,000 images is further away than that
    assert facts == law_of(factors, seed=5).facts()
    assert law_of(factors, conditional={"kind": "laplace", "scale": 0.1}).facts()["pair_width_drawn"] > 0.13


def test_images_are_seen_as_they_are():
    images = torch.rand(3, 1, 4, 4, generator=torch.Generator().manual_seed(0))
    assert law_of(uniform(5)).view(images, 0, 1) is images


def test_one_image_makes_no_pair():
    with pytest.raises(ValueError, match="pairs need at least two images, got 1"):
        law_of(uniform(1))


def test_the_approximate_index_agrees_nearly():
    pytest.importorskip("faiss")
    points, queries = uniform(20_000), uniform(200, seed=1)
    found = InvertedFile(points).nearest(queries, 2)
    assert found.shape == (200, 2)
    assert (found[:, 0] == KDTree(points).nearest(queries, 1)[:, 0]).mean() > 0.5


def test_the_approximate_index_says_what_it_needs(monkeypatch):
    real = builtins.__import__

    def without_faiss(name, *rest):
        if name == "faiss":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_faiss)
    with pytest.raises(ValueError, match="neighbours ivf_hnsw needs the package faiss-cpu"):
        InvertedFile(uniform(50))
