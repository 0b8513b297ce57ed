"""What a figure needs to know of the experiment, as plain data."""

import json
from itertools import product
from typing import Any

from demix.errors import ConfigError, unknown
from demix.experiment import Experiment, Run
from demix.figures.concentration import AXES, check_marginal, concentration
from demix.specs.figures import MarginalSweep, Panel
from demix.tables.plan import departures


def figure_plan(experiment: Experiment, name: str) -> dict[str, Any]:
    """The plan of a figure, ready for JSON.

    Raises:
        ConfigError: there is no such figure, or a panel cannot be drawn.
    """
    figure = experiment.figure(name)
    shared = {
        "figure": name,
        "kind": figure.kind,
        "title": figure.title,
        "notes": list(figure.notes),
        "scale": experiment.scale_name,
        "description": experiment.scale.description,
        "device": experiment.scale.device,
        "claims": experiment.scale.claims,
    }
    if not isinstance(figure, MarginalSweep):
        return shared | {"theory": figure.model_dump(mode="json")}
    runs = figure_runs(experiment, name)
    return shared | {
        "seeds": len(experiment.seeds),
        "metric": figure.metric,
        "evaluation_set": "marginal",
        "panels": {key: _panel(experiment, name, key, panel) for key, panel in figure.panels.items()},
        "runs": {run.id: {"key": run.key, "comparable": run.comparable} for run in runs},
        "departures": departures(experiment, runs) + _coarser_grids(experiment, figure),
    }


def figure_runs(experiment: Experiment, name: str) -> list[Run]:
    """The runs that a figure shows; none if it needs no training."""
    figure = experiment.figure(name)
    if not isinstance(figure, MarginalSweep):
        return []
    return [run for key, panel in figure.panels.items() for run in _sweep(experiment, name, key, panel)]


def _sweep(experiment: Experiment, figure: str, key: str, panel: Panel) -> list[Run]:
    if panel.sweep not in experiment.sweeps:
        where = f"figures.{figure}.panels.{key}.sweep"
        raise ConfigError(f"{where}: {unknown('sweep', panel.sweep, experiment.sweeps)}")
    return experiment.sweep_runs(panel.sweep)


def _panel(experiment: Experiment, figure: str, key: str, panel: Panel) -> dict[str, Any]:
    """Axis and points of one panel."""
    runs = _sweep(experiment, figure, key, panel)
    where = f"figures.{figure}.panels.{key}.sweep"
    for run in runs:
        check_marginal(run.spec.problem, f"{where} ({run.id})")
    problem = runs[0].spec.problem
    others = {_all_but_the_marginal(run) for run in runs}
    if len(others) > 1:
        raise ConfigError(f"{where}: the runs of {panel.sweep} must differ in nothing but their marginal")
    return {
        "title": panel.title,
        "axis": AXES[problem.marginal.kind],
        "space": problem.space.kind,
        "dim": problem.dim,
        "conditional": problem.conditional.label if problem.conditional else "",
        "conditional_concentration": concentration(problem.conditional),
        "points": {run.id: run.spec.problem.model_dump(mode="json") for run in runs},
    }


def _all_but_the_marginal(run: Run) -> str:
    content = run.spec.model_dump(mode="json")
    del content["problem"]["marginal"]
    return json.dumps(content, sort_keys=True)


def _coarser_grids(experiment: Experiment, figure: MarginalSweep) -> list[str]:
    """Departures of the grids: how many points a scale leaves of a sweep."""
    lines = []
    for panel in figure.panels.values():
        written, here = (
            len(list(product(*sweeps[panel.sweep].vary.values())))
            for sweeps in (experiment.config.sweeps, experiment.sweeps)
        )
        if written != here:
            lines.append(f"points of {panel.sweep}: {written} → {here}")
    return lines
