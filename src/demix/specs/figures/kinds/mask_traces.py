"""Sequences of masks with their codes over time, as data."""

from typing import Any, ClassVar

from pydantic import Field, NonNegativeInt

from demix.specs.figures.kinds import FigureSpec, Shown

SEQUENCES = "sequences"
"""The evaluation set of whole sequences."""

SCORED = "marginal"
"""The one that tables show: codes are matched to factors there."""


class MaskTracesSpec(FigureSpec):
    """Sequences of masks, with their factors and the codes that a trained run has for them over time."""

    needs: ClassVar[frozenset[str]] = frozenset({"codes"})
    reads_data: ClassVar[bool] = True
    run: str = Field(description="run whose codes are shown; it must be trained on mask sequences")
    seed: NonNegativeInt = Field(0, description="its seed that is shown")

    @property
    def runs_named(self) -> dict[str, str]:
        return {"run": self.run}

    @property
    def seeds_shown(self) -> tuple[int, ...]:
        return (self.seed,)

    @property
    def coded_sets(self) -> tuple[str, ...]:
        return SCORED, SEQUENCES

    def check(self, runs: Shown) -> None:
        """The run is trained on mask sequences and has the seed.

        Raises:
            ValueError: it is not, or has not.
        """
        (run,) = runs["run"]
        dataset = run.spec.problem.dataset
        if dataset is None or not dataset.has_sequences or run.spec.model is None:
            kind = run.spec.problem.kind if dataset is None else dataset.kind
            raise ValueError(f"run: {run.id} is not trained on mask sequences but on {kind}")
        if self.seed not in run.seeds:
            raise ValueError(f"seed: {run.id} has seeds 0 to {len(run.seeds) - 1}, not {self.seed}")

    def details(self, runs: Shown) -> dict[str, Any]:
        """Names of the factors."""
        (run,) = runs["run"]
        return {"factors": list(run.spec.problem.dataset.factors)}  # type: ignore[union-attr]
