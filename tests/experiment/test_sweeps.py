"""Sweeps: one entry of the configuration, a run for every value."""

import copy

import pytest
import yaml
from project import CONFIG

from demix.experiment.experiment import Experiment, load_experiment
from demix.support.errors import ConfigError

SPHERE, BOX = "sph-vmf-vmf_sph-vmf10", "box-norm-norm005_unb-norm"


@pytest.fixture
def config():
    return copy.deepcopy(yaml.safe_load(CONFIG.read_text()))


def sweep(config, **changes):
    config["sweeps"]["mine"] = {"problem": "sph-vmf-vmf", "model": "sph-vmf1", "training": "contrastive"} | changes
    return Experiment(config)


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


def test_several_places_give_every_combination(config):
    experiment = sweep(config, vary={"problem.dim": [3, 4], "training.batch_size": [8, 16, 32]})
    runs = experiment.sweep_runs("mine")
    assert [run.id for run in runs][:4] == ["mine@3@8", "mine@3@16", "mine@3@32", "mine@4@8"]
    assert (runs[5].spec.problem.dim, runs[5].spec.training.batch_size) == (4, 32)


def test_a_scale_changes_runs_of_a_sweep_by_their_name(config):
    config["scales"]["demo"]["runs"] = {"mine@4": {"training": {"steps": 7}}}
    runs = sweep(config, vary={"training.batch_size": [4, 8]}).sweep_runs("mine")
    assert [run.spec.training.steps for run in runs] == [7, 1000]


def test_a_table_may_show_runs_of_a_sweep(config):
    config["tables"]["mine"] = {"title": "", "metrics": ["r2"], "rows": {"a": {"unsupervised": f"{SPHERE}@64"}}}
    assert [run.id for run in Experiment(config).runs_of("mine")] == [f"{SPHERE}@64"]


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
def test_a_mistake_in_a_sweep_is_named_in_one_line(config, vary, message):
    with pytest.raises(ConfigError) as error:
        sweep(config, vary=vary)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_point_outside_what_the_sampler_can_do_is_named(config):
    config["scales"]["demo"]["sweeps"][BOX] = {"vary": {"problem.marginal.std": [1, 0]}}
    with pytest.raises(ConfigError, match=r"sweeps\.box-norm.*problem\.marginal\.std = 0.*greater than 0, got 0"):
        Experiment(config)
