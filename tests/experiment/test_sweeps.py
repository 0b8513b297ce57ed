"""Sweeps: one entry of the configuration, a run for every value."""

import pytest
from project import CONFIG

from demix.experiment.experiment import Experiment, load_experiment
from demix.support.errors import ConfigError

SPHERE, BOX = "sph-vmf-vmf_sph-vmf10", "box-norm-norm005_unb-norm"
SWEPT = {"problem": "sph-vmf-vmf", "model": "sph-vmf1", "training": "contrastive"}


@pytest.fixture
def suite(config):
    """The suite of `config` that has the sweeps."""
    return config["suites"]["icml_synthetic"]


@pytest.fixture
def swept(config, suite):
    """The experiment with more sweeps, each given by what it varies and what else it changes."""

    def experiment(**sweeps):
        suite["sweeps"] |= {name: SWEPT | changes for name, changes in sweeps.items()}
        return Experiment(config)

    return experiment


@pytest.mark.parametrize(("scale", "points"), [("smoke", (2, 2)), ("demo", (7, 7)), ("paper", (13, 17))])
def test_a_scale_may_have_a_coarser_grid(scale, points):
    experiment = load_experiment(CONFIG, scale=scale)
    assert tuple(len(experiment.sweep_runs(name)) for name in (SPHERE, BOX)) == points


def test_runs_of_a_sweep_differ_in_the_varied_value_alone():
    runs = load_experiment(CONFIG, scale="paper").sweep_runs(SPHERE)
    assert [run.id for run in runs][:2] == [f"{SPHERE}@0.015625", f"{SPHERE}@0.03125"]
    assert [run.spec.problem.marginal.concentration for run in runs] == [2.0**power for power in range(-6, 7)]
    contents = [run.spec.model_dump() for run in runs]
    for content in contents:
        del content["problem"]["marginal"]["concentration"]
    assert all(content == contents[0] for content in contents)


def test_the_grid_of_the_box_is_even_in_powers_of_two():
    runs = load_experiment(CONFIG, scale="paper").sweep_runs(BOX)
    assert [run.spec.problem.marginal.std**-2 for run in runs] == pytest.approx(
        [2.0**power for power in range(-6, 11)], rel=1e-3
    )


def test_several_places_give_every_combination(swept):
    experiment = swept(mine={"vary": {"problem.dim": [3, 4], "training.batch_size": [8, 16, 32]}})
    runs = experiment.sweep_runs("mine")
    assert [run.id for run in runs][:4] == ["mine@3@8", "mine@3@16", "mine@3@32", "mine@4@8"]
    assert (runs[5].spec.problem.dim, runs[5].spec.training.batch_size) == (4, 32)


def test_a_scale_changes_runs_of_a_sweep_by_their_name(suite, swept):
    suite["scales"]["demo"]["runs"] = {"mine@4": {"training": {"steps": 7}}}
    runs = swept(mine={"vary": {"training.batch_size": [4, 8]}}).sweep_runs("mine")
    assert [run.spec.training.steps for run in runs] == [7, 1000]


def test_a_table_may_show_runs_of_a_sweep(suite, swept):
    suite["tables"]["mine"] = {"title": "", "metrics": ["r2"], "rows": {"a": {"unsupervised": f"{SPHERE}@64"}}}
    assert [run.id for run in swept().runs_of("mine")] == [f"{SPHERE}@64"]


def test_points_of_two_sweeps_with_equal_specs_are_one_run_of_both(suite, swept):
    suite["tables"]["mine"] = {"title": "", "metrics": ["r2"], "rows": {"a": {"unsupervised": "other@8"}}}
    suite["scales"]["demo"]["seeds_of"] = {"other@*": 3}
    sweeps = {"mine": {"vary": {"training.batch_size": [4, 8]}}, "other": {"vary": {"training.batch_size": [8, 16]}}}
    experiment = swept(**sweeps)
    assert [run.id for run in experiment.sweep_runs("mine")] == ["mine@4", "mine@8"]
    assert [run.id for run in experiment.sweep_runs("other")] == ["mine@8", "other@16"]
    assert "other@8" not in experiment.runs
    assert experiment.runs["other@8"] is experiment.runs["icml_synthetic/other@8"] is experiment.runs["mine@8"]
    assert [len(experiment.runs[run].seeds) for run in ("mine@4", "mine@8", "other@16")] == [2, 3, 3]
    assert experiment.table("mine").rows == {"a": {"unsupervised": "mine@8"}}


def test_a_point_may_be_a_run_of_its_own(suite, swept):
    suite["runs"]["alone"] = SWEPT
    runs = swept(mine={"vary": {"problem.marginal.concentration": [2, 1]}}).sweep_runs("mine")
    assert [run.id for run in runs] == ["mine@2", "alone"]


def test_two_points_of_one_sweep_with_equal_specs_are_a_mistake(suite, swept):
    suite["scales"]["demo"]["runs"] = {"mine@*": {"training": {"steps": 7}}}
    with pytest.raises(ConfigError, match=r"sweeps\.mine@6: resolves to the same spec as run 'mine@5'"):
        swept(mine={"vary": {"training.steps": [5, 6]}})


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ({"problem.marginal.concentraton": [1]}, "unknown key 'concentraton' (did you mean 'concentration'?)"),
        ({"problem.marginl.concentration": [1]}, "unknown key 'marginl' (did you mean 'marginal'?)"),
        ({"problem.dim.x": [1]}, "'dim' is 5 here, it has no parts"),
        ({"problem.marginal.concentration": [1, -2]}, "(problem.marginal.concentration = -2)"),
        ({"problem.marginal.concentration": [1, -2]}, "greater than or equal to 0, got -2"),
        ({"problem.marginal.concentration": []}, "at least one value"),
        ({"problem.marginal.concentration": [1, 1.0]}, "none of them twice"),
        ({}, "at least 1 item"),
    ],
)
def test_a_mistake_in_a_sweep_is_named_in_one_line(swept, vary, message):
    with pytest.raises(ConfigError) as error:
        swept(mine={"vary": vary})
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_point_outside_what_the_sampler_can_do_is_named(suite, swept):
    suite["scales"]["demo"]["sweeps"][BOX] = {"vary": {"problem.marginal.std": [1, 0]}}
    with pytest.raises(ConfigError, match=r"sweeps\.box-norm.*problem\.marginal\.std = 0.*greater than 0, got 0"):
        swept()
