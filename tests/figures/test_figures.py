"""Figures: plan, data, drawings, captions and what they refuse."""

import copy
import math
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import yaml
from project import CONFIG

from demix.check_theorems import write_checks
from demix.collect_figure import write_points
from demix.experiment.experiment import Experiment, load_experiment
from demix.figures.collect import collect_figure
from demix.figures.draw import KINDS
from demix.figures.plan import figure_plan, figure_runs
from demix.figures.style import log2_positions, styled
from demix.render_figure import render
from demix.support.errors import ConfigError, DataError
from demix.theory.mass import mass_to_move_box, mass_to_move_sphere
from demix.workflow.paths import FIGURE_FORMATS, figure_data_file, figure_file

SPHERE, BOX = "sph-vmf-vmf_sph-vmf10", "box-norm-norm005_unb-norm"


@pytest.fixture
def config():
    return copy.deepcopy(yaml.safe_load(CONFIG.read_text()))


@pytest.fixture
def plan():
    return figure_plan(load_experiment(CONFIG, scale="demo"), "icml_figure2")


def fake_scores(run, values):
    origin = {"run": run, "outcome": "finished", "commit": "abc", "steps": 10, "steps_per_second": 2.0}
    origin |= {
        "wall_time_s": 5.0,
        "peak_memory_mb": 300.0,
        "pair_width": None,
        "pair_width_drawn": None,
        "device": "a",
        "device_type": "cpu",
        "python": "3",
        "demix": "0",
    }
    origin |= {"torch": "2", "numpy": "2", "evaluation_set": "marginal", "metric": "r2", "bit_exact": True}
    origin |= {"finished": "2026-01-01T00:00:00+00:00", "device_memory_mb": None, "data": None}
    return pd.DataFrame([origin | {"seed": seed, "value": value} for seed, value in enumerate(values)])


@pytest.fixture
def scores(plan):
    return {run: fake_scores(run, [0.9 - i / 50, 0.92 - i / 50]) for i, run in enumerate(plan["runs"])}


def test_the_points_are_those_of_the_grid_with_exact_masses(plan, scores):
    table = collect_figure(plan, scores)
    sphere, box = (table[table["panel"] == name] for name in ("sphere", "box"))
    assert list(sphere["concentration"]) == [2.0**power for power in range(-6, 7, 2)]
    assert list(box["concentration"]) == [2.0**power for power in (-6, -2, 2, 4, 6, 8, 10)]
    assert list(sphere["mass_to_move"]) == [100 * mass_to_move_sphere(2.0**p, 5) for p in range(-6, 7, 2)]
    assert box["mass_to_move"].iloc[3] == pytest.approx(100 * mass_to_move_box(0.25, 5))
    assert set(sphere["conditional_concentration"]) == {10}
    assert list(box["conditional_concentration"]) == pytest.approx([400] * 7)


def test_means_are_percent_with_ddof_1_and_the_seeds_extremes(plan, scores):
    point = collect_figure(plan, scores).iloc[0]
    assert (point["mean"], point["std"]) == (pytest.approx(91), pytest.approx(math.sqrt(2)))
    assert (point["lowest"], point["highest"]) == (pytest.approx(90), pytest.approx(92))
    assert (point["n_seeds"], point["seeds_planned"], point["commit"]) == (2, 2, "abc")


def test_a_missing_and_a_diverged_point_are_told_apart(plan, scores):
    del scores[f"{SPHERE}@1"]
    scores[f"{SPHERE}@4"] = fake_scores(f"{SPHERE}@4", [0.9, math.nan])
    table = collect_figure(plan, scores).set_index("run")
    assert table.loc[f"{SPHERE}@1", "n_seeds"] == 0
    assert table.loc[f"{SPHERE}@1", "mass_to_move"] > 0
    assert math.isnan(table.loc[f"{SPHERE}@4", "mean"])
    caption = KINDS["marginal_sweep"].caption(table.reset_index(), plan, [])
    assert "| 1                 | missing " in caption
    assert "| 4                 | diverged " in caption


def test_the_caption_says_what_was_our_choice_and_what_the_scale_changed(plan, scores):
    caption = KINDS["marginal_sweep"].caption(collect_figure(plan, scores), plan, [])
    assert "our choice" in caption
    assert f"points of {SPHERE}: 13 → 7" in caption
    assert "problem.dim: 10 → 5" in caption
    assert "Made with commit abc" in caption
    paper = figure_plan(load_experiment(CONFIG, scale="paper"), "icml_figure2")
    assert paper["departures"] == []


def drawn(plan, table):
    with styled():
        figure = KINDS[plan["kind"]].draw(table, plan)
        figure.draw_without_rendering()
    return figure


def test_a_panel_has_the_score_the_mass_and_the_conditional(plan, scores):
    table = collect_figure(plan, scores)
    left, right, *twins = drawn(plan, table).axes
    assert [ax.get_xlabel() for ax in (left, right)] == ["Concentration κ", "Concentration 1/σ²"]
    assert left.get_ylabel() == "R² [%]"
    assert twins[0].get_ylabel() == "Mass to move [%]"
    line = left.get_lines()[0]
    assert list(line.get_xdata()) == list(range(-6, 7, 2))
    assert list(line.get_ydata()) == list(table[table["panel"] == "sphere"]["mean"])
    dashed = [line for line in right.get_lines() if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) == 2]
    assert dashed[0].get_xdata()[0] == pytest.approx(math.log2(400))
    labels = [tick.get_text() for tick in left.get_xticklabels()]
    assert [text for text in labels if text] == ["$2^{-6}$", "$2^{-2}$", "$2^{2}$", "$2^{6}$"]


def test_a_missing_point_interrupts_the_line(plan, scores):
    del scores[f"{SPHERE}@1"]
    line = drawn(plan, collect_figure(plan, scores)).axes[0].get_lines()[0]
    assert np.isnan(line.get_ydata()).sum() == 1


def test_no_concentration_has_a_place_left_of_the_powers_of_two(config, scores):
    assert log2_positions([0, 0.25, 4]) == [-3.5, -2, 2]
    config["scales"]["demo"]["sweeps"][SPHERE] = {"vary": {"problem.marginal.concentration": [0, 1, 16]}}
    plan = figure_plan(Experiment(config), "icml_figure2")
    table = collect_figure(plan, {run: fake_scores(run, [0.9, 0.9]) for run in plan["runs"]})
    assert table["mass_to_move"].iloc[0] == 0
    left = drawn(plan, table).axes[0]
    assert left.get_xticklabels()[0].get_text() == "0"


def test_a_grid_of_uniform_alone_and_a_negative_score_are_drawn(config):
    config["scales"]["demo"]["sweeps"][SPHERE] = {"vary": {"problem.marginal.concentration": [0]}}
    plan = figure_plan(Experiment(config), "icml_figure2")
    table = collect_figure(plan, {run: fake_scores(run, [-0.4, -0.4]) for run in plan["runs"]})
    assert drawn(plan, table).axes[0].get_ylim()[0] < -40


def test_files_are_the_promised_ones_and_the_same_every_time(plan, scores, tmp_path):
    data = tmp_path / "data.parquet"
    write_points(plan, scores, data)
    for folder in ("one", "two"):
        render(data, tmp_path / folder / "figure")
    one, two = ({p.name: p.read_bytes() for p in (tmp_path / folder).iterdir()} for folder in ("one", "two"))
    assert set(one) == {f"figure.{ending}" for ending in FIGURE_FORMATS}
    assert one == two
    assert one["figure.png"].startswith(b"\x89PNG")
    assert one["figure.pdf"].startswith(b"%PDF")
    assert b"<svg" in one["figure.svg"]


def test_the_theory_figure_is_drawn_from_its_table(tmp_path):
    plan = figure_plan(load_experiment(CONFIG), "theory")
    plan["theory"] |= {
        "draws": 20_000,
        "negatives": [16, 64],
        "box_dims": [1],
        "minimum": plan["theory"]["minimum"][:1],
    }
    data = tmp_path / "theory.parquet"
    write_checks(plan, data)
    assert pd.read_parquet(data)[["scale", "commit", "python", "demix", "numpy", "scipy"]].notna().all().all()
    table = pd.read_parquet(data)
    assert {"quantity", "expected", "simulated", "standard_error", "z"} <= set(table.columns)
    assert table["z"].equals((table["simulated"] - table["expected"]) / table["standard_error"])
    render(data, tmp_path / "theory")
    assert (tmp_path / "theory.png").stat().st_size > 50_000
    caption = (tmp_path / "theory.md").read_text()
    assert caption.count("\n|") == len(table) + 2
    assert "M = 6,144 negatives, loss − log M is at sphere, vMF(κ=1), k = 1: 1.7e-04 nats above -0.049" in caption
    assert "stays above −log 6,144 = −8.72" in caption
    assert len(drawn(table.attrs["plan"], table).axes) == 6


MISTAKES = [
    (("panels", "sphere", "sweep"), "sph-vfm", "unknown sweep 'sph-vfm'"),
    (("panels", "sphere", "swep"), "x", "unknown key 'swep' (did you mean 'sweep'?)"),
    (("kind",), "marginal", "unknown kind 'marginal' (did you mean 'marginal_sweep'?)"),
    (("metric",), "mcc2", "'r2'"),
    (("panels",), {}, "at least 1 item"),
]


@pytest.mark.parametrize(("place", "value", "message"), MISTAKES)
def test_a_mistake_in_a_figure_is_named_in_one_line(config, place, value, message):
    content = config["figures"]["icml_figure2"]
    for key in place[:-1]:
        content = content[key]
    content[place[-1]] = value
    with pytest.raises(ConfigError) as error:
        figure_plan(Experiment(config), "icml_figure2")
    assert message in str(error.value)
    assert "figures.icml_figure2" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("problem", "vary", "message"),
    [
        ("unb-norm1-norm1", {"problem.marginal.std": [1, 2]}, "not for normal on space unbounded"),
        ("sph-norm1-norm005", {"problem.marginal.std": [1, 2]}, "not for normal on space sphere"),
        ("sph-vmf-vmf", {"problem.marginal.concentration": [1], "problem.dim": [3, 4]}, "nothing but their marginal"),
    ],
)
def test_a_marginal_without_a_mass_to_move_is_refused(config, problem, vary, message):
    model = "unb-norm" if problem.startswith("unb") else "sph-vmf1"
    config["sweeps"]["mine"] = {"problem": problem, "model": model, "training": "contrastive", "vary": vary}
    config["figures"]["icml_figure2"]["panels"] = {"only": {"title": "", "sweep": "mine"}}
    with pytest.raises(ConfigError, match=message) as error:
        figure_plan(Experiment(config), "icml_figure2")
    assert "figures.icml_figure2.panels.only.sweep" in str(error.value)


def test_a_figure_needs_a_name_of_its_own(config):
    config["figures"]["icml_table1"] = config["figures"]["theory"]
    with pytest.raises(ConfigError, match="'icml_table1' is both a table and a figure"):
        Experiment(config)
    del config["figures"]["icml_table1"]
    config["figures"]["render_figure"] = config["figures"]["theory"]
    with pytest.raises(ConfigError, match="'render_figure' is a rule of the workflow"):
        Experiment(config)


def test_an_unknown_figure_is_named_with_its_nearest_spelling():
    with pytest.raises(ConfigError, match=r"unknown figure 'icml_figur2' \(did you mean 'icml_figure2'\?\)"):
        load_experiment(CONFIG).figure("icml_figur2")


def test_a_table_is_no_data_of_a_figure(tmp_path):
    path = tmp_path / "a.parquet"
    pd.DataFrame({"a": [1]}).to_parquet(path)
    with pytest.raises(DataError, match="not the data of a figure"):
        render(path, tmp_path / "a")


def test_checks_of_theorems_are_a_table_and_show_no_runs():
    experiment = load_experiment(CONFIG)
    assert figure_runs(experiment, "theory") == []
    assert str(figure_data_file(experiment, "theory")) == "results/demo/tables/theory.parquet"
    assert str(figure_data_file(experiment, "icml_figure2")) == "results/demo/figures/icml_figure2.parquet"
    assert str(figure_file(experiment, "theory", "svg")) == "results/demo/figures/theory.svg"


def test_what_exists_of_a_figure_can_be_drawn(tmp_path):
    command = [sys.executable, "-m", "demix.collect_figure", "--partial", "icml_figure2", "--scale", "demo"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("missing") == 14
    assert (tmp_path / "results/demo/figures/icml_figure2.partial.png").exists()
    result = subprocess.run([*command[:4], "theory"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 1
    assert "figure 'theory' has no parts that could be there before the rest" in result.stderr
