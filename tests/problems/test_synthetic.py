"""The synthetic problem: batches, evaluation latents, and going on where a training stopped."""

import numpy as np
import pytest
import torch

from demix.specs.base import parse
from demix.specs.problems.synthetic import SyntheticProblemSpec
from demix.support.building import build
from demix.support.errors import DataError

LAPLACE = {"kind": "laplace", "scale": 0.05}


def problem(seed=0, conditional=LAPLACE, **context):
    data = {"space": "box", "dim": 4, "marginal": "uniform", "conditional": conditional, "generator": {"candidates": 2}}
    return build(parse(SyntheticProblemSpec, data, "test"), seed=seed, **context)


def test_a_batch_shows_anchors_and_partners_by_the_generator():
    made = problem()
    batch = made.batch(32)
    assert batch.anchor.shape == batch.positive.shape == batch.factors.shape == (32, 4)
    assert torch.equal(batch.anchor, made.observe(batch.factors))
    assert not torch.equal(batch.anchor, batch.positive)
    assert made.facts() == {}


def test_without_a_conditional_there_are_no_partners():
    assert problem(conditional=None).batch(8).positive is None


def test_a_stopped_training_goes_on_with_the_same_batches():
    made = problem()
    made.batch(8)
    state, following = made.state(), made.batch(8)
    other = problem()
    other.load_state(state)
    again = other.batch(8)
    assert torch.equal(again.anchor, following.anchor)
    assert torch.equal(again.positive, following.positive)


def test_evaluation_latents_depend_on_the_seed_alone():
    made = problem()
    found = made.evaluation_sets()["marginal"]
    latents = found.known["factors"]
    assert found.observations.shape == latents.shape == (4096, 4)
    assert torch.equal(found.observations, made.generator.on("cpu")(torch.from_numpy(latents)))
    again = problem(conditional={"kind": "normal", "std": 0.1})
    again.batch(16)
    assert np.array_equal(again.evaluation_sets(["marginal"])["marginal"].known["factors"], latents)
    assert not np.array_equal(problem(seed=1).evaluation_sets()["marginal"].known["factors"], latents)


def test_an_evaluation_set_that_it_has_not_is_named():
    with pytest.raises(ValueError, match=r"unknown evaluation set 'margin' .*allowed: marginal"):
        problem().evaluation_sets(["margin"])


def test_a_damaged_generator_is_named(tmp_path):
    (tmp_path / "generator.npz").write_bytes(b"no arrays")
    with pytest.raises(DataError, match=r"generator\.npz: not an npz file"):
        problem(folder=tmp_path)
