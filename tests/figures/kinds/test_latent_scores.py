"""Scores of single latents: numbers from codes, drawing and caption."""

import numpy as np
import pytest
from figures_config import coded, config, fake_result, small_experiment
from figures_drawn import caption, drawn

from demix.collecting.command import Results
from demix.experiment.experiment import Experiment
from demix.figures.plan import figure_plan
from demix.scores.r2 import linear_r2
from demix.support.building import build
from demix.support.codes import set_file, write_codes

DATA = {"kind": "threedident", "hash": "0123456789abcdef"}


@pytest.fixture(scope="module")
def experiment():
    """A second row of the same run would be the same numbers: two rows, two runs."""
    content = config(latents={"runs": {"first": "3di", "second": "3di-long"}})
    suite = content["suites"]["own"]
    suite["trainings"]["long"] = {"steps": 30}
    suite["runs"]["3di-long"] = {"problem": "3di", "model": "conv", "training": "long"}
    return Experiment(content)


@pytest.fixture(scope="module")
def plan(experiment):
    return figure_plan(experiment, "latents")


def codes_and_factors(seed):
    """Codes that hold every latent but the last."""
    generator = np.random.default_rng(seed)
    factors = generator.uniform(-1, 1, (200, 10))
    codes = factors @ generator.normal(size=(10, 10))
    return np.where(np.arange(10) == 9, generator.normal(size=(200, 10)), factors) if seed else codes, factors


@pytest.fixture(scope="module")
def results(experiment, tmp_path_factory):
    folder = tmp_path_factory.mktemp("latents")
    folders = []
    for name in ("3di", "3di-long"):
        for seed in (0, 1):
            codes, factors = codes_and_factors(seed)
            sets = {"test": coded(codes, factors=factors)}
            folders.append(fake_result(folder / f"{name}{seed}", experiment.runs[name], seed, sets, data=DATA))
    return Results(codes=tuple(folders))


@pytest.fixture(scope="module")
def table(plan, results):
    return build(plan.spec).collect(plan, results)


def test_the_mean_over_latents_is_what_tables_print(plan, table):
    assert len(table) == 2 * 2 * 10
    for (_, seed), scores in table.groupby(["row", "seed"]):
        codes, factors = codes_and_factors(seed)
        assert scores["r2"].mean() == pytest.approx(linear_r2(factors, codes, held_out=True))
        assert list(scores["latent"]) == plan.details["latents"]
    assert set(table["data"]) == {"threedident 0123456789ab"}


def test_a_latent_that_is_lost_is_seen(table):
    of_seed = table[table["seed"] == 1].set_index(["row", "latent"])["r2"]
    assert of_seed["first", "hue_ground"] < 0.1
    assert of_seed["first", "x"] > 0.99


def test_a_set_that_was_encoded_later_stands_for_one_of_another_key(plan, experiment, tmp_path):
    run = experiment.runs["3di"]
    codes, factors = codes_and_factors(0)
    old = {"test": coded(np.zeros_like(codes), factors=factors)}
    folder = fake_result(tmp_path / "seed0", run, 0, old, data=DATA, keys={"test": "11111111"})
    write_codes(folder / set_file("test", run.spec.problem.set_key("test")), {"test": coded(codes, factors=factors)})
    write_codes(folder / set_file("test", "00000000"), old)
    table = build(plan.spec).collect(plan, Results(codes=(folder,)))
    assert table["r2"].min() > 0.99


def test_rows_are_runs_and_columns_latents_with_their_mean(plan, table):
    (ax,) = drawn(plan, table).axes
    assert [text.get_text() for text in ax.get_yticklabels()] == ["first", "second"]
    assert len(ax.get_xticklabels()) == 11
    assert len(ax.texts) == 22


def test_the_caption_says_what_was_scored(plan, table):
    text = caption(plan, table)
    assert "mean over 2 seeds, on test images" in text
    assert "Made with data threedident 0123456789ab." in text


def test_a_run_without_results_is_a_dash(plan, table):
    (ax,) = drawn(plan, table[table["row"] == "first"]).axes
    assert [text.get_text() for text in ax.texts][11:] == ["–"] * 11


def test_other_latents_than_the_first_run_has_are_not_in_the_plan():
    plan = figure_plan(small_experiment(), "latents")
    assert len(plan.details["latents"]) == 10
