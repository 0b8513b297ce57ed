"""The figure of theory: its table, drawing and caption."""

import pytest
from figures_config import small_experiment
from figures_drawn import caption, drawn

from demix.collecting.command import Results
from demix.figures.plan import figure_plan
from demix.support.building import build


@pytest.fixture(scope="module")
def plan():
    return figure_plan(small_experiment(), "theory")


@pytest.fixture(scope="module")
def table(plan):
    return build(plan.spec).collect(plan, Results())


def test_every_comparison_is_a_row_with_its_origin(table):
    assert table[["scale", "commit", "python", "demix", "numpy", "scipy"]].notna().all().all()
    assert table["z"].equals((table["simulated"] - table["expected"]) / table["standard_error"])


def test_six_panels_are_drawn(plan, table):
    assert len(drawn(plan, table).axes) == 6


def test_the_caption_has_all_comparisons_and_says_how_far_the_limit_is(plan, table):
    text = caption(plan, table)
    assert text.count("\n|") == len(table) + 2
    assert "M = 6,144 negatives, loss − log M is at sphere, vMF(κ=1), k = 1: 1.7e-04 nats above -0.049" in text
    assert "stays above −log 6,144 = −8.72" in text


def test_a_plan_without_cases_of_the_published_size_is_drawn(plan, table):
    few = plan.model_copy(update={"spec": plan.spec.model_copy(update={"trained_dim": 7, "box": ()})})
    assert len(drawn(few, table).axes) == 6
    assert "of published" not in caption(few, table)
