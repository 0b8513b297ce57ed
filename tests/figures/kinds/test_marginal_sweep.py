"""A score over the marginal: points beside exact masses, drawing and caption."""

import math

import numpy as np
import pytest
from figures_config import BOX, SPHERE, config, fake_scores, small_experiment
from figures_drawn import caption, drawn

from demix.collecting.command import Results
from demix.experiment.experiment import Experiment
from demix.figures.plan import figure_plan
from demix.support.building import build
from demix.theory.mass import mass_to_move_box, mass_to_move_sphere


@pytest.fixture
def plan():
    return figure_plan(small_experiment(), "sweep")


@pytest.fixture
def scores(plan):
    return {run: fake_scores(run, [0.9 - i / 50, 0.92 - i / 50]) for i, run in enumerate(plan.runs)}


def collected(plan, scores):
    return build(plan.spec).collect(plan, Results(scores=scores))


def test_the_points_are_those_of_the_grid_with_exact_masses(plan, scores):
    table = collected(plan, scores)
    sphere, box = (table[table["panel"] == name] for name in ("sphere", "box"))
    assert list(sphere["concentration"]) == [0.25, 1, 4, 64]
    assert list(box["concentration"]) == [0.25, 4, 64]
    assert list(sphere["mass_to_move"]) == [100 * mass_to_move_sphere(kappa, 5) for kappa in (0.25, 1, 4, 64)]
    assert box["mass_to_move"].iloc[2] == pytest.approx(100 * mass_to_move_box(0.125, 5))
    assert set(sphere["conditional_concentration"]) == {10}
    assert list(box["conditional_concentration"]) == pytest.approx([400] * 3)


def test_means_are_percent_with_ddof_1_and_the_seeds_extremes(plan, scores):
    point = collected(plan, scores).iloc[0]
    assert (point["mean"], point["std"]) == (pytest.approx(91), pytest.approx(math.sqrt(2)))
    assert (point["lowest"], point["highest"]) == (pytest.approx(90), pytest.approx(92))
    assert (point["n_seeds"], point["seeds_planned"], point["commit"]) == (2, 2, "abc")


def test_a_missing_and_a_diverged_point_are_told_apart(plan, scores):
    del scores[f"{SPHERE}@1"]
    scores[f"{SPHERE}@4"] = fake_scores(f"{SPHERE}@4", [0.9, math.nan])
    table = collected(plan, scores)
    by_run = table.set_index("run")
    assert by_run.loc[f"{SPHERE}@1", "n_seeds"] == 0
    assert by_run.loc[f"{SPHERE}@1", "mass_to_move"] > 0
    assert math.isnan(by_run.loc[f"{SPHERE}@4", "mean"])
    text = caption(plan, table)
    assert "| 1                 | missing " in text
    assert "| 4                 | diverged " in text


def test_the_caption_says_what_was_our_choice_and_what_the_scale_changed(plan, scores):
    text = caption(plan, collected(plan, scores), [("✓ met  a: so it is", "Lowest 3")])
    assert "The grids are our choice." in text
    assert f"points of {SPHERE}: 13 → 4" in text
    assert "Made with commit abc" in text
    assert "## Claims\n\n- ✓ met  a: so it is<br>Lowest 3\n\nDepartures" in text


def test_a_panel_has_the_score_the_mass_and_the_conditional(plan, scores):
    table = collected(plan, scores)
    left, right, *twins = drawn(plan, table).axes
    assert [ax.get_xlabel() for ax in (left, right)] == ["Concentration κ", "Concentration 1/σ²"]
    assert left.get_ylabel() == "R² [%]"
    assert twins[0].get_ylabel() == "Mass to move [%]"
    line = left.get_lines()[0]
    assert list(line.get_xdata()) == [-2, 0, 2, 6]
    assert list(line.get_ydata()) == list(table[table["panel"] == "sphere"]["mean"])
    dashed = [line for line in right.get_lines() if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) == 2]
    assert dashed[0].get_xdata()[0] == pytest.approx(math.log2(400))


def test_a_missing_point_interrupts_the_line(plan, scores):
    del scores[f"{SPHERE}@1"]
    line = drawn(plan, collected(plan, scores)).axes[0].get_lines()[0]
    assert np.isnan(line.get_ydata()).sum() == 1


def test_another_score_has_its_own_head():
    plan = figure_plan(Experiment(config(sweep={"score": {"kind": "mcc", "correlation": "spearman"}})), "sweep")
    scores = {run: fake_scores(run, [0.5, 0.6], "mcc(correlation=spearman)") for run in plan.runs}
    table = collected(plan, scores)
    assert table["mean"].notna().all()
    assert drawn(plan, table).axes[0].get_ylabel().startswith("MCC")


def with_grid(values):
    content = config()
    content["suites"]["own"]["scales"]["small"]["sweeps"][SPHERE] = {"vary": {"problem.marginal.concentration": values}}
    return figure_plan(Experiment(content), "sweep")


def test_no_concentration_is_drawn_left_of_the_powers_of_two():
    plan = with_grid([0, 1, 16])
    table = collected(plan, {run: fake_scores(run, [0.9, 0.9]) for run in plan.runs})
    assert table["mass_to_move"].iloc[0] == 0
    assert drawn(plan, table).axes[0].get_xticklabels()[0].get_text() == "0"


def test_a_grid_of_uniform_alone_and_a_negative_score_are_drawn():
    plan = with_grid([0])
    table = collected(plan, {run: fake_scores(run, [-0.4, -0.4]) for run in plan.runs})
    assert drawn(plan, table).axes[0].get_ylim()[0] < -40


def test_claims_find_points_by_run(plan, scores):
    cells = build(plan.spec).as_cells(collected(plan, scores))
    assert list(cells["row_id"]) == list(cells["run"])
    assert {run.split("@")[0] for run in cells["row_id"]} == {SPHERE, BOX}
