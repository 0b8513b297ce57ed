"""What a figure needs to know of the experiment, as plain data."""

import json
from itertools import product
from typing import Any

from demix.experiment.experiment import Experiment, Run
from demix.experiment.keys import result_key
from demix.figures.concentration import AXES, concentration, with_mass_to_move
from demix.specs.figures import PICTURE_FIGURES, LatentScores, MarginalSweep, MaskTraces, Panel, Theory
from demix.specs.picture_pairs import PicturePairs
from demix.specs.pictures import Rendering
from demix.support.errors import ConfigError, unknown
from demix.tables.plan import departures


def figure_plan(experiment: Experiment, name: str) -> dict[str, Any]:
    """The plan of a figure, ready for JSON.

    Raises:
        ConfigError: there is no such figure, or a panel cannot be drawn.
    """
    figure = experiment.figure(name)
    shared: dict[str, Any] = {
        "figure": name,
        "kind": figure.kind,
        "title": figure.title,
        "notes": list(figure.notes),
        "scale": experiment.scale_name,
        "description": experiment.scale.description,
        "device": experiment.scale.device,
        "claims": experiment.scale.claims,
    }
    if isinstance(figure, Theory):
        return shared | {"theory": figure.model_dump(mode="json")}
    if isinstance(figure, PICTURE_FIGURES):
        pictures, key = figure.pictures.model_dump(mode="json"), result_key(figure.pictures)
        return shared | {"pictures": pictures, "key": key, "departures": _other_pictures(experiment, name)}
    runs = figure_runs(experiment, name)
    if isinstance(figure, MaskTraces):
        (run,) = runs
        _check_traces(figure, run, f"figures.{name}")
        about = {"run": run.id, "key": run.key, "seed": figure.seed, "labels": run.published.problem.labels}
        departed = {"stand_in": run.spec.problem.stand_in, "departures": departures(experiment, runs)}
        return shared | about | departed
    if isinstance(figure, LatentScores):
        return shared | _latent_scores(experiment, figure, runs, f"figures.{name}")
    return shared | {
        "seeds": max((len(run.seeds) for run in runs), default=0),
        "metric": figure.metric,
        "evaluation_set": "marginal",
        "panels": {key: _panel(experiment, name, key, panel) for key, panel in figure.panels.items()},
        "runs": {
            run.id: {"key": run.key, "comparable": run.comparable, "seeds_planned": len(run.seeds)} for run in runs
        },
        "departures": departures(experiment, runs) + _coarser_grids(experiment, figure),
    }


def pictures_of_figures(experiment: Experiment) -> dict[str, Rendering]:
    """What has to be rendered for figures, by their name."""
    return {name: figure.pictures for name, figure in experiment.figures.items() if isinstance(figure, PICTURE_FIGURES)}


def figure_runs(experiment: Experiment, name: str) -> list[Run]:
    """The runs that a figure shows; none if it needs no training."""
    figure = experiment.figure(name)
    if isinstance(figure, (Theory, *PICTURE_FIGURES)):
        return []
    if isinstance(figure, MaskTraces):
        if figure.run not in experiment.runs:
            raise ConfigError(f"figures.{name}.run: {unknown('run', figure.run, experiment.runs)}")
        return [experiment.runs[figure.run]]
    if isinstance(figure, LatentScores):
        for run in figure.runs.values():
            if run not in experiment.runs:
                raise ConfigError(f"figures.{name}.runs: {unknown('run', run, experiment.runs)}")
        return [experiment.runs[run] for run in dict.fromkeys(figure.runs.values())]
    return [run for key, panel in figure.panels.items() for run in _sweep(experiment, name, key, panel)]


def _check_traces(figure: MaskTraces, run: Run, where: str) -> None:
    """Refuse a run without mask sequences, and a seed that it does not have."""
    kind = run.spec.problem.kind
    if kind != "mask_pairs":
        raise ConfigError(f"{where}.run: {run.id} is not trained on mask sequences but on a problem of kind {kind}")
    if figure.seed not in run.seeds:
        raise ConfigError(f"{where}.seed: {run.id} has seeds 0 to {len(run.seeds) - 1}, not {figure.seed}")


def _latent_scores(experiment: Experiment, figure: LatentScores, runs: list[Run], where: str) -> dict[str, Any]:
    """Rows, columns and runs of a figure of scores by latent.

    Raises:
        ConfigError: a run is not trained on pictures, has other latents than the first, or no such evaluation set.
    """
    latents: list[str] = []
    for run in runs:
        problem = run.spec.problem
        if not isinstance(problem, PicturePairs) or run.is_raw:
            raise ConfigError(f"{where}.runs: {run.id} is not trained on pictures but on a problem of {problem.kind}")
        if figure.evaluation_set not in problem.evaluation_sets:
            known = unknown("evaluation_set", figure.evaluation_set, problem.evaluation_sets)
            raise ConfigError(f"{where}.evaluation_set: {known}")
        latents = latents or list(problem.data.free)
        if latents != list(problem.data.free):
            raise ConfigError(f"{where}.runs: {run.id} has other latents than {runs[0].id}")
    return {
        "rows": dict(figure.runs),
        "latents": latents,
        "evaluation_set": figure.evaluation_set,
        "seeds": max(len(run.seeds) for run in runs),
        "runs": {run.id: {"key": run.key, "seeds_planned": len(run.seeds)} for run in runs},
        "departures": departures(experiment, runs),
    }


def _sweep(experiment: Experiment, figure: str, key: str, panel: Panel) -> list[Run]:
    if panel.sweep not in experiment.sweeps:
        where = f"figures.{figure}.panels.{key}.sweep"
        raise ConfigError(f"{where}: {unknown('sweep', panel.sweep, experiment.sweeps)}")
    return experiment.sweep_runs(panel.sweep)


def _panel(experiment: Experiment, figure: str, key: str, panel: Panel) -> dict[str, Any]:
    """Axis and points of one panel."""
    runs = _sweep(experiment, figure, key, panel)
    where = f"figures.{figure}.panels.{key}.sweep"
    problem, *_ = [with_mass_to_move(run.spec.problem, f"{where} ({run.id})") for run in runs]
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


def _other_pictures(experiment: Experiment, name: str) -> list[str]:
    """Departures of a figure's pictures from the configuration."""
    here, written = (
        figures[name].model_dump(mode="json")["pictures"] for figures in (experiment.figures, experiment.config.figures)
    )
    return [f"pictures.{key}: {written[key]} → {here[key]}" for key in here if here[key] != written[key]]


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
