"""Departures from the published settings: found in the resolved specs."""

from project import CONFIG

from demix.collecting.departures import departures
from demix.experiment.experiment import load_experiment


def of_table(name, **how):
    experiment = load_experiment(CONFIG, **how)
    return departures(experiment.runs_of(name))


def test_every_changed_setting_is_named():
    lines = of_table("icml_table2", scale="smoke")
    assert "seeds: 5 → 2" in lines
    assert "problem.dim: 10 → 2" in lines
    assert any(line.startswith("training.steps: 100,001 → 20 (in 2 of") for line in lines)
    assert "model.objective.annealing.tau: none → 0.1 (in 4 of 22 runs)" in of_table("icml_table1", scale="demo")


def test_the_published_scale_has_none_whatever_the_device():
    assert of_table("icml_table2", scale="paper", device="cpu") == []
