"""How latents of rendered images are drawn."""

import numpy as np
import pytest

from demix.specs.datasets.common.threedident import LATENTS
from demix.specs.datasets.gallery import GallerySpec
from demix.specs.datasets.threedident import RenderedThreeDIdentSpec
from demix.specs.datasets.traversals import TraversalsSpec
from demix.support.building import build


def latents(split="train", **fields):
    return build(RenderedThreeDIdentSpec(**{"train": 20, "test": 20} | fields)).latents(split)


def test_latents_are_uniform_or_held_and_do_not_depend_on_their_number():
    many = latents(train=4000, held={"beta": 0.25, "x": -1})
    few = latents(train=10, held={"x": -1, "beta": 0.25})
    assert np.array_equal(many[:10], few)
    assert many.dtype == np.float32
    assert (many[:, 0] == -1).all()
    assert (many[:, 4] == 0.25).all()
    free = many[:, [LATENTS.index(name) for name in RenderedThreeDIdentSpec(held={"beta": 0, "x": 0}).factors]]
    assert free.shape == (4000, 8)
    assert np.allclose(np.quantile(free, [0.25, 0.5, 0.75], axis=0), [[-0.5], [0], [0.5]], atol=0.06)
    assert free.std(axis=0) == pytest.approx(np.full(8, 3**-0.5), abs=0.03)


def test_splits_and_seeds_differ_and_held_latents_change_no_other():
    train, test = latents("train"), latents("test")
    assert not np.isclose(train, test).any()
    assert not np.isclose(train, latents(seed=1)).any()
    held = latents(held={"gamma": 0.25})
    assert (held[:, 5] == 0.25).all()
    assert np.array_equal(np.delete(held, 5, axis=1), np.delete(train, 5, axis=1))


def test_figures_show_one_latent_at_a_time_and_random_ones():
    rows = build(TraversalsSpec(values=(-1, 0.5))).latents("all")
    assert np.array_equal(rows[:10], -np.eye(10, dtype=np.float32))
    assert np.array_equal(rows[10:], 0.5 * np.eye(10, dtype=np.float32))
    gallery = GallerySpec(columns=3, rows=2)
    assert build(gallery).latents("all").shape == (gallery.shards["all"], 10) == (6, 10)
