"""Runs on pictures: training goes on to the same bits, scores of raw pixels, scores by latent."""

import numpy as np
import pandas as pd
import pytest
import torch
from demix.specs.picture_pairs import PicturePairs
from picture_data import fake_folder, spec_of

from demix.figures.latents import latent_scores
from demix.figures.style import styled
from demix.problems.common.opening import open_problem
from demix.score import score_rows
from demix.score_pixels import write_scores
from demix.scores.common.pixels import held_out_r2
from demix.scores.r2 import linear_r2, linear_r2_of_each
from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.support.files import read_arrays, read_json
from demix.training.job import train_job
from demix.training.numerics import fix_algorithms
from demix.training.trainee import Trainee

SPEC = spec_of(held={"alpha": 0, "beta": 0, "gamma": 0, "spot": 0, "hue_spot": 0})

CONV = {"kind": "conv", "channels": [8, 8], "features": 16}
BOX = {"output": "box", "objective": {"kind": "lp_infonce", "exponent": 2}}
RUNS = {
    "matched, conv": ({}, BOX | {"encoder": CONV}, "float32"),
    "matched, resnet": ({}, BOX | {"encoder": "resnet18"}, "float32"),
    "resnet in bf16": ({}, BOX | {"encoder": "resnet18"}, "bf16"),
    "augmentations": (
        {"views": "augmentations"},
        {"output": "sphere", "objective": "dot_infonce", "encoder": CONV},
        "float32",
    ),
    "supervised": ({}, {"output": "unbounded", "objective": "mean_squared_error", "encoder": CONV}, "float32"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return fake_folder(tmp_path_factory.mktemp("pictures"), SPEC)


def run_spec(name, steps=8):
    problem, model, precision = RUNS[name]
    data = {
        "problem": {"kind": "picture_pairs", "data": SPEC.model_dump(), "evaluation_batch": 8, **problem},
        "model": model,
        "training": {"steps": steps, "batch_size": 8, "learning_rate": 0.001, "precision": precision},
    }
    return parse(RunSpec, data, name)


def trainee(folder, name, seed=0):
    spec = run_spec(name)
    return Trainee(spec, seed, open_problem(spec.problem, folder / "card.json", seed))


@pytest.mark.parametrize("name", RUNS)
def test_a_run_goes_on_from_a_saved_state_to_the_same_bits(folder, name, untouched_global_randomness):
    whole = trainee(folder, name)
    losses = [float(whole.step(step).total.detach()) for step in range(8)]
    assert np.isfinite(losses).all()
    half = trainee(folder, name)
    for step in range(4):
        half.step(step)
    half.codes(half.problem.evaluation_sets()["test"][0])  # scores on the way change nothing
    again = trainee(folder, name)
    again.load_state(half.state())
    assert [float(again.step(step).total.detach()) for step in range(4, 8)] == losses[4:]
    pictures, _ = whole.problem.evaluation_sets()["test"]
    assert whole.codes(pictures).shape == (24, 5)
    assert torch.equal(whole.codes(pictures), again.codes(pictures))
    assert float(trainee(folder, name, seed=1).step(0).total.detach()) != losses[0]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
@pytest.mark.parametrize("name", RUNS)
def test_on_a_gpu_pictures_are_the_same_and_a_run_goes_on_to_the_same_bits(folder, name):
    fix_algorithms()
    spec = run_spec(name)

    def on_gpu():
        return Trainee(spec, 0, open_problem(spec.problem, folder / "card.json", 0, "cuda"), "cuda")

    here, there = trainee(folder, name).problem.batch(8), on_gpu().problem.batch(8)
    torch.testing.assert_close(there.anchor.cpu(), here.anchor, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(there.positive.cpu(), here.positive, atol=1e-4, rtol=1e-4)
    whole, half, again = on_gpu(), on_gpu(), on_gpu()
    losses = [float(whole.step(step).total.detach()) for step in range(8)]
    for step in range(4):
        half.step(step)
    again.load_state(half.state())
    assert [float(again.step(step).total.detach()) for step in range(4, 8)] == losses[4:]


def test_a_job_leaves_codes_of_every_set_and_the_width_of_the_pairs(folder, tmp_path):
    train_job(run_spec("matched, resnet", steps=2), 0, folder / "card.json", tmp_path, "run", "key", "cpu")
    arrays, record = read_arrays(tmp_path / "codes.npz"), read_json(tmp_path / "provenance.json")
    assert arrays["train/codes"].shape == arrays["train_eval_mode/codes"].shape == (56, 5)
    assert np.array_equal(arrays["test/factors"], arrays["test_eval_mode/factors"])
    assert not np.allclose(arrays["test/codes"], arrays["test_eval_mode/codes"], atol=1e-3)
    assert 0.09 < record["facts"]["pair_width_drawn"] < 0.1 < record["facts"]["pair_width"]
    rows = pd.DataFrame(score_rows("run", "key", [tmp_path]))
    assert set(rows["evaluation_set"]) == {"test", "train", "test_eval_mode", "train_eval_mode"}
    assert set(rows["pair_width"]) == {record["facts"]["pair_width"]}


# -------------------------------------------------------------------------------------------------------- raw pixels


@pytest.mark.parametrize("features", [7, 300, 5000])
def test_the_score_of_pixels_is_that_of_least_squares_of_minimum_norm(features):
    generator = np.random.default_rng(features)
    latents = generator.uniform(-1, 1, (60, 3)).astype(np.float32)
    pixels = np.tanh(latents @ generator.normal(size=(3, features))) + 0.3 * generator.normal(size=(60, features))
    wanted = linear_r2(latents, pixels, held_out=True)
    assert abs(held_out_r2(pixels.astype(np.float32), latents) - wanted) < 1e-4
    assert wanted != pytest.approx(linear_r2(latents, pixels))


def test_raw_pixels_are_scored_once_a_seed_and_leave_no_codes(folder, tmp_path):
    spec = PicturePairs(data=SPEC, identity_samples=40)
    for seed in (0, 1):
        write_scores(spec, seed, folder / "card.json", tmp_path / f"seed{seed}", "raw", "key")
    rows = pd.DataFrame(score_rows("raw", "key", [tmp_path / "seed0", tmp_path / "seed1"]))
    assert set(zip(rows["evaluation_set"], rows["metric"], strict=True)) == {
        ("train", "r2_held_out"), ("test", "r2_held_out")
    }  # fmt: skip
    assert rows["value"].nunique() > 2
    assert (rows["value"] < 1).all()
    pixels, latents = open_problem(spec, folder / "card.json", 1).flattened("train")
    wanted = linear_r2(latents, pixels, held_out=True)
    assert rows.query("seed == 1 and evaluation_set == 'train'")["value"].item() == pytest.approx(wanted, abs=1e-3)


# --------------------------------------------------------------------------------------------------- scores by latent


def results(latents=3, seeds=2):
    generator = np.random.default_rng(0)
    for run in ("one", "two"):
        for seed in range(seeds):
            z = generator.uniform(-1, 1, (200, latents))
            noise = np.array([0.0, 0.5, 100.0])
            record = {"run": run, "key": "key", "seed": seed, "data": {"kind": "made", "hash": "0" * 64}}
            yield record, {"test/factors": z, "test/codes": z + noise * generator.normal(size=z.shape)}


PLAN = {
    "figure": "mine", "scale": "smoke", "evaluation_set": "test", "latents": ["x", "y", "hue_spot"], "seeds": 2,
    "rows": {"first": "one", "second": "two"}, "title": "Mine", "notes": ["Our choice."], "description": "small",
    "departures": [], "kind": "latent_scores",
}  # fmt: skip


def test_scores_by_latent_are_those_whose_mean_the_tables_print():
    table = latent_scores(PLAN, results())
    assert len(table) == 2 * 2 * 3
    assert set(table["row"]) == {"first", "second"}
    for record, arrays in results():
        of_run = table[(table["run"] == record["run"]) & (table["seed"] == record["seed"])]
        z, h = arrays["test/factors"], arrays["test/codes"]
        assert of_run["r2"].mean() == pytest.approx(linear_r2(z, h, held_out=True))
        assert np.array_equal(of_run["r2"], linear_r2_of_each(z, h, held_out=True))
    by_latent = table.groupby("latent")["r2"].mean()
    assert by_latent["x"] > 0.999 > by_latent["y"] > 0.5 > by_latent["hue_spot"]


def test_the_figure_has_a_row_for_each_run_and_says_so_if_there_is_no_data():
    from demix.figures.draw import KINDS

    kind = KINDS["latent_scores"]
    table = latent_scores(PLAN, results())
    with styled():
        (ax,) = kind.draw(table, PLAN).axes
        empty = kind.draw(latent_scores(PLAN, []), PLAN | {"skipped": [{"reason": "no Blender", "remedy": "get it"}]})
    assert [label.get_text() for label in ax.get_yticklabels()] == ["first", "second"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["x", "y", "hue\nspot", "mean"]
    mean = 100 * table[table["row"] == "first"]["r2"].mean()
    assert [text.get_text() for text in ax.texts][3] == f"{mean:.0f}"
    assert "Skipped: no Blender" in empty.texts[0].get_text()
    caption = kind.caption(table, PLAN, [])
    assert "mean over 2 seeds, on test pictures" in caption
    assert "Our choice." in caption
    assert "Remedy: get it" in kind.caption(
        table.iloc[:0], PLAN | {"skipped": [{"reason": "no Blender", "remedy": "get it"}]}, []
    )
