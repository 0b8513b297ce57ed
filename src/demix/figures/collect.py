"""The data of a figure: one tidy row for each point, scores beside theory."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from demix.figures.concentration import concentration, mass_to_move
from demix.specs.problem import SyntheticProblem
from demix.tables.collect import number_of, provenance_of, values_of


def collect_figure(plan: Mapping[str, Any], scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The points of a sweep over the marginal.

    Args:
        plan: what `figure_plan` returned.
        scores: data frames of `demix.score` by run id; a run without one is missing.

    Returns:
        One row for each panel and point, in order of the concentration. Columns: figure, scale, panel, space, dim,
        marginal, conditional, concentration (kappa or 1 / std^2), conditional_concentration, mass_to_move (percent),
        metric, run, key, comparable (with the published problem), n_seeds, seeds_planned, mean and std (percent,
        ddof 1), lowest and highest seed, unit and provenance.
    """
    rows = []
    for name, panel in plan["panels"].items():
        shared = {"figure": plan["figure"], "scale": plan["scale"], "panel": name, "conditional": panel["conditional"]}
        shared |= {"conditional_concentration": panel["conditional_concentration"]}
        for run, problem in panel["points"].items():
            values = values_of(scores.get(run), plan["metric"], plan["evaluation_set"], f"figures.{plan['figure']}")
            origin = {"run": run, **plan["runs"][run]}
            point = shared | _theory(SyntheticProblem.model_validate(problem)) | {"metric": plan["metric"]}
            rows.append(point | origin | {"unit": "percent"} | _score(values) | provenance_of(values))
    table = pd.DataFrame(rows)
    panels = list(plan["panels"])
    return table.sort_values(["panel", "concentration"], key=lambda c: c.map(panels.index) if c.name == "panel" else c)


def _theory(problem: SyntheticProblem) -> dict[str, Any]:
    return {
        "space": problem.space.kind,
        "dim": problem.dim,
        "marginal": problem.marginal.label,
        "concentration": concentration(problem.marginal),
        "mass_to_move": 100 * mass_to_move(problem),
    }


def _score(values: pd.DataFrame | None) -> dict[str, Any]:
    number = number_of(values)
    if number is None or values is None:
        return {"n_seeds": 0} | dict.fromkeys(("mean", "std", "lowest", "highest"))
    extremes = {"lowest": 100 * values["value"].min(), "highest": 100 * values["value"].max()}
    return {"n_seeds": number.count, "mean": number.mean, "std": number.std} | extremes
