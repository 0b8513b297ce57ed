"""The table of comparisons of simulations with theory."""

import pandas as pd
import pytest
from project import CONFIG
from scipy import stats

from demix.experiment.experiment import load_experiment
from demix.specs.figures.kinds.theory import TheorySpec
from demix.theory.checks import all_checks
from demix.theory.simulation import Estimate


def small_plan(**changes):
    plan = {
        "title": "small", "draws": 20_000, "negatives": (16, 64), "minimum": ({"dim": 3, "concentration": 4},),
        "sphere": ({"dim": 3, "concentration": 1, "model_concentration": 2},),
        "box": ({"kind": "normal", "std": 0.1},), "box_dims": (1,), "masses": ({"std": 0.2}, {"concentration": 2}),
    }  # fmt: skip
    return TheorySpec.model_validate(plan | changes)


def test_one_fixed_seed_of_the_configured_checks_agrees_with_theory():
    plan = load_experiment(CONFIG).figure("theory")
    table = pd.DataFrame([check.row() for check in all_checks(plan)])
    assert len(table) > 80
    assert (table["standard_error"] > 0).all()
    assert table["z"].abs().max() < 4
    low, high = stats.chi2(len(table)).ppf([0.0005, 0.9995])
    assert low < (table["z"] ** 2).sum() < high
    assert set(table["statement"]) == {"theorem 1", "proposition 1", "theorem 3", "mass to move"}


def test_a_wrong_expectation_would_be_noticed():
    """The spread of z is that of the simulation: a shift of four standard errors moves z by four."""
    check = next(all_checks(small_plan()))
    shifted = Estimate(check.estimate.value + 4 * check.estimate.error, check.estimate.error)
    moved = type(check)(check.statement, check.quantity, check.expected, shifted, check.setting)
    assert moved.z == pytest.approx(check.z + 4)


def test_checks_are_the_same_for_a_seed_and_others_for_another():
    first, again, other = ([c.estimate.value for c in all_checks(small_plan(seed=s))] for s in (1, 1, 2))
    assert first == again
    assert not set(first) & set(other)


def test_a_further_check_leaves_the_others_as_they_are():
    before = {c.quantity: c.estimate.value for c in all_checks(small_plan())}
    after = {c.quantity: c.estimate.value for c in all_checks(small_plan(negatives=(16, 32, 64)))}
    assert before.items() < after.items()
