"""Runs on images: training goes on to the same bits, a job leaves codes of every set."""

import numpy as np
import pytest
import torch
from image_data import made_folder, spec_of

from demix.problems.common.opening import open_problem
from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.support.codes import read_codes
from demix.support.files import read_json
from demix.training.job import train_job
from demix.training.numerics import fix_algorithms
from demix.training.trainee import Trainee

SPEC = spec_of(held={"alpha": 0, "beta": 0, "gamma": 0, "spot": 0, "hue_spot": 0})

CONV = {"kind": "conv", "channels": [8, 8], "features": 16}
BOX = {"output": "box", "objective": {"kind": "lp_infonce", "exponent": 2}}
RUNS = {
    "matched, conv": ("matched", BOX | {"encoder": CONV}, "float32"),
    "matched, resnet": ("matched", BOX | {"encoder": "resnet18"}, "float32"),
    "resnet in bf16": ("matched", BOX | {"encoder": "resnet18"}, "bf16"),
    "augmented": ("augmented", {"output": "sphere", "objective": "dot_infonce", "encoder": CONV}, "float32"),
    "supervised": ("matched", {"output": "unbounded", "objective": "mean_squared_error", "encoder": CONV}, "float32"),
}


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    return made_folder(tmp_path_factory.mktemp("images"), SPEC) / "card.json"


def run_spec(name, steps=8):
    pairs, model, precision = RUNS[name]
    evaluation = {"evaluation_batch": 8, "whole_batches": True, "eval_mode": True}
    data = {
        "problem": {"kind": "images", "data": SPEC, "pairs": pairs, **evaluation},
        "model": model,
        "training": {"steps": steps, "batch_size": 8, "learning_rate": 0.001, "precision": precision},
    }
    return parse(RunSpec, data, name)


def trainee(card, name, seed=0, device="cpu"):
    spec = run_spec(name)
    return Trainee(spec, seed, open_problem(spec.problem, card, seed, device), device)


def shown(made):
    return made.problem.evaluation_sets(["test"])["test"].observations


@pytest.mark.parametrize("name", RUNS)
def test_a_run_goes_on_from_a_saved_state_to_the_same_bits(card, name, untouched_global_randomness):
    whole = trainee(card, name)
    losses = [float(whole.step(step).total.detach()) for step in range(8)]
    assert np.isfinite(losses).all()
    half = trainee(card, name)
    for step in range(4):
        half.step(step)
    half.codes(shown(half))  # scores on the way change nothing
    again = trainee(card, name)
    again.load_state(half.state())
    assert [float(again.step(step).total.detach()) for step in range(4, 8)] == losses[4:]
    assert whole.codes(shown(whole)).shape == (24, 5)
    assert torch.equal(whole.codes(shown(whole)), again.codes(shown(again)))
    assert float(trainee(card, name, seed=1).step(0).total.detach()) != losses[0]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
@pytest.mark.parametrize("name", RUNS)
def test_on_a_gpu_images_are_the_same_and_a_run_goes_on_to_the_same_bits(card, name):
    fix_algorithms()
    here, there = trainee(card, name).problem.batch(8), trainee(card, name, device="cuda").problem.batch(8)
    torch.testing.assert_close(there.anchor.cpu(), here.anchor, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(there.positive.cpu(), here.positive, atol=1e-4, rtol=1e-4)
    whole, half, again = (trainee(card, name, device="cuda") for _ in range(3))
    losses = [float(whole.step(step).total.detach()) for step in range(8)]
    for step in range(4):
        half.step(step)
    again.load_state(half.state())
    assert [float(again.step(step).total.detach()) for step in range(4, 8)] == losses[4:]


def test_a_job_leaves_codes_of_every_set_and_the_width_of_the_pairs(card, tmp_path):
    train_job(run_spec("matched, resnet", steps=2), 0, card, tmp_path, "run", "key", "cpu")
    sets, record = read_codes(tmp_path / "codes.npz"), read_json(tmp_path / "provenance.json")
    assert set(sets) == {"test", "train", "test_eval_mode", "train_eval_mode"} == record["sets"].keys()
    assert sets["train"].codes.shape == sets["train_eval_mode"].codes.shape == (56, 5)
    assert np.array_equal(sets["test"].known["factors"], sets["test_eval_mode"].known["factors"])
    assert not np.allclose(sets["test"].codes, sets["test_eval_mode"].codes, atol=1e-3)
    assert 0.09 < record["facts"]["pair_width_drawn"] < 0.1 < record["facts"]["pair_width"]
