"""Scores of single latents, as data."""

from typing import Any, ClassVar

from pydantic import Field

from demix.specs.figures.kinds import FigureSpec, Shown
from demix.support.errors import unknown


class LatentScoresSpec(FigureSpec):
    """Which latents of images each run recovers: R2 of every latent, where tables print the mean."""

    needs: ClassVar[frozenset[str]] = frozenset({"codes"})
    runs: dict[str, str] = Field(min_length=1, description="run by what the figure calls it; all of the same latents")
    evaluation_set: str = Field("test", description="what the runs are scored on")

    @property
    def runs_named(self) -> dict[str, str]:
        return {place_of(row): run for row, run in self.runs.items()}

    @property
    def coded_sets(self) -> tuple[str, ...]:
        return (self.evaluation_set,)

    def check(self, runs: Shown) -> None:
        """All runs are trained on images with the same latents.

        Raises:
            ValueError: a run is not trained on images, has other latents than the first, or no such evaluation set.
        """
        first = next(iter(runs.values()))[0]
        for place, (run,) in runs.items():
            problem = run.spec.problem
            if problem.dataset is None or run.spec.model is None:
                raise ValueError(f"{place}: {run.id} is not trained on images but on a problem of kind {problem.kind}")
            if self.evaluation_set not in problem.evaluation_sets:
                known = unknown("evaluation_set", self.evaluation_set, problem.evaluation_sets)
                raise ValueError(f"evaluation_set: {known}")
            if problem.dataset.factors != first.spec.problem.dataset.factors:  # type: ignore[union-attr]
                raise ValueError(f"{place}: {run.id} has other latents than {first.id}")

    def details(self, runs: Shown) -> dict[str, Any]:
        """Names of the latents."""
        dataset = next(iter(runs.values()))[0].spec.problem.dataset
        return {"latents": list(dataset.factors) if dataset else []}


def place_of(row: str) -> str:
    """Where a row names its run."""
    return f"runs.{row}"
