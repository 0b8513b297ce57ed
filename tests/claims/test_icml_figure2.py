"""The claims of ICML Figure 2: a table like the printed figure meets them, and each can be missed."""

import math
from functools import cache

import pandas as pd
import pytest
from project import CONFIG

from demix.claims.common.collect import claim_lines, collect_claims
from demix.claims.common.judging import judge
from demix.claims.icml_figure2 import CLAIMS
from demix.collecting.command import Results
from demix.experiment.experiment import load_experiment
from demix.figures.plan import figure_plan
from demix.support.building import build

BY_ID = {claim.id: claim for claim in CLAIMS}
SPHERE, BOX = "sph-vmf-vmf_sph-vmf10", "box-norm-norm005_unb-norm"


@cache
def plan_at(scale):
    return figure_plan(load_experiment(CONFIG, scale=scale), "icml_figure2")


@cache
def without_results(scale):
    kind = build(plan_at(scale).spec)
    return kind.as_cells(kind.collect(plan_at(scale), Results()))


def table_like_print(scale="paper", **changes):
    """The figure's table with R2 at 99 up to the conditional and falling to 40 behind it; changes by run id."""
    table = without_results(scale)
    ratio = table["concentration"] / table["conditional_concentration"]
    last = table.groupby("panel")["concentration"].transform("max") == table["concentration"]
    mean = ratio.map(lambda x: 99.0 if x < 1 else 70.0).mask(last, 40.0)
    table = table.assign(mean=mean, n_seeds=table["seeds_planned"])
    for run, value in changes.items():
        assert (table["run"] == run).sum() == 1
        table.loc[table["run"] == run, "mean"] = value
    return table


def state(letter, table, form="printed"):
    return judge(BY_ID[f"icml-f2-{letter}"], table, form).state


@pytest.mark.parametrize("letter", "abcde")
@pytest.mark.parametrize(("scale", "form"), [("paper", "printed"), ("demo", "structural")])
def test_a_picture_like_the_printed_one_meets_every_claim(letter, scale, form):
    judgement = judge(BY_ID[f"icml-f2-{letter}"], table_like_print(scale), form)
    assert judgement.checks
    assert judgement.state == "met", judgement


@pytest.mark.parametrize(
    ("letter", "changes"),
    [
        ("a", {f"{SPHERE}@8": 94.9}),
        ("a", {f"{BOX}@0.0625": 94.9}),
        ("b", {f"{SPHERE}@64": 49.6}),
        ("b", {f"{BOX}@0.03125": 49.6}),
        ("b", {f"{BOX}@8": 60.0}),  # a plateau of 60 asks for 30
        ("d", {f"{SPHERE}@8": 94.0}),
        ("e", {f"{SPHERE}@8": 90.0}),  # a fails in the left panel alone
        ("e", {f"{BOX}@0.03125": 80.0}),  # b in the right one
        ("a", {f"{SPHERE}@1": math.nan}),
        ("b", {f"{SPHERE}@64": math.nan}),
    ],
)
def test_one_number_that_does_not_fit_misses_the_claim(letter, changes):
    assert state(letter, table_like_print(**changes)) == "not met"


def test_the_same_failure_in_both_panels_is_the_same_picture():
    table = table_like_print(**{f"{SPHERE}@1": 90.0, f"{BOX}@2": 90.0})
    assert (state("a", table), state("e", table)) == ("not met", "met")


def test_a_mass_that_does_not_rise_or_does_not_reach_its_ends_misses_the_claim():
    for run, mass in ((f"{SPHERE}@4", 20.0), (f"{BOX}@8", 6.0), (f"{SPHERE}@64", 94.0)):
        table = table_like_print()
        table.loc[table["run"] == run, "mass_to_move"] = mass
        assert state("c", table) == "not met"


def test_the_mass_needs_no_results_and_the_rest_waits_for_them():
    table = table_like_print()
    table.loc[table["run"] == f"{SPHERE}@8", "n_seeds"] = 0
    assert state("c", table) == "met"
    assert {state(letter, table) for letter in "abde"} == {"undecided"}


def test_a_grid_without_a_point_behind_the_conditional_does_not_meet_the_drop():
    table = table_like_print()
    assert state("b", table[table["concentration"] < 8]) == "not met"


def test_a_claim_names_the_worst_point_of_each_panel_in_words():
    table = table_like_print(**{f"{SPHERE}@8": 94.9})
    claims = collect_claims(table, plan_at("paper"))
    assert set(claims["claim"]) == set(BY_ID)
    head, behind = claim_lines(claims)[0]
    assert head.startswith("✗ not met  icml-f2-a: R2 stays at 95 or more")
    assert f"94.90 not ≥ 95 ({SPHERE}@8)" in behind
    assert isinstance(claims, pd.DataFrame)


def test_smoke_decides_nothing():
    claims = collect_claims(table_like_print("smoke"), plan_at("smoke"))
    assert set(claims["state"]) == {"undecided"}
