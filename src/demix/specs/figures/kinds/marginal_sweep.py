"""A score over the marginal of a problem, as data."""

import json
from typing import Any, ClassVar

from pydantic import Field

from demix.specs.base import Spec, content
from demix.specs.figures.kinds import FigureSpec, Shown, ShownRun
from demix.specs.scores import Score, ScoreRequest
from demix.specs.scores.r2 import R2Spec

SCORED = "marginal"
"""The evaluation set: samples of the marginal that was trained on."""

WITH_MASS = (("sphere", "vmf"), ("box", "normal"))
"""Space and marginal of the problems whose mass to move is known."""


class PanelSpec(Spec):
    """One panel: a sweep over the marginal of a problem."""

    title: str
    sweep: str = Field(description="name of an entry of `sweeps` that varies the marginal")


class MarginalSweepSpec(FigureSpec):
    """A score against the marginal's concentration, with the mass to move to uniform (ICML 2021, Figure 2)."""

    needs: ClassVar[frozenset[str]] = frozenset({"scores"})
    score: Score = Field(R2Spec(), description="score on the left axis")
    panels: dict[str, PanelSpec] = Field(min_length=1, description="panels from left to right")

    @property
    def sweeps_named(self) -> dict[str, str]:
        return {place_of(key): panel.sweep for key, panel in self.panels.items()}

    @property
    def requests(self) -> tuple[ScoreRequest, ...]:
        return (ScoreRequest(evaluation_set=SCORED, score=self.score),)

    def check(self, runs: Shown) -> None:
        """Runs of a panel have a marginal with a mass to move, and differ in nothing else.

        Raises:
            ValueError: they have not, or do.
        """
        for key, panel in self.panels.items():
            place = place_of(key)
            for run in runs[place]:
                _check_mass(run, f"{place} ({run.id})")
            if len({_all_but_the_marginal(run) for run in runs[place]}) > 1:
                raise ValueError(f"{place}: the runs of {panel.sweep} must differ in nothing but their marginal")

    def details(self, runs: Shown) -> dict[str, Any]:
        """Problems by run."""
        return {"problems": {run.id: run.spec.problem.model_dump(mode="json") for of in runs.values() for run in of}}


def place_of(panel: str) -> str:
    """Where a panel names its sweep."""
    return f"panels.{panel}.sweep"


def _check_mass(run: ShownRun, where: str) -> None:
    problem = run.spec.problem
    space, marginal = (getattr(getattr(problem, part, None), "kind", None) for part in ("space", "marginal"))
    if space is None or marginal is None:
        raise ValueError(f"{where}: only a synthetic problem has a marginal with a mass to move, not {problem.kind}")
    if (space, marginal) not in WITH_MASS:
        raise ValueError(
            f"{where}: the mass to move is known for a vmf marginal on the sphere and a normal one in the box, "
            f"not for {marginal} on space {space}"
        )


def _all_but_the_marginal(run: ShownRun) -> str:
    spec = content(run.spec)
    del spec["problem"]["marginal"]
    return json.dumps(spec, sort_keys=True)
