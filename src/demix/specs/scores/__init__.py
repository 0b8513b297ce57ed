"""Scores, as data: what codes are held against, and how."""

from typing import Annotated, Any, ClassVar

from pydantic import SerializeAsAny

from demix.specs.base import Component, Spec
from demix.specs.families import member_of

PERCENT = "percent"


class ScoreSpec(Component):
    """What every score says of itself. Its implementation has `value(codes, known, generator)`, see `demix.scores`."""

    libraries: ClassVar[tuple[str, ...]] = ("numpy", "scipy")
    needs: ClassVar[tuple[str, ...]] = ("factors",)
    """What must be known of the samples of an evaluation set: names of `ProblemSpec.known`."""

    unit: ClassVar[str] = PERCENT
    """Of tables: what is computed is a fraction where it is percent, and shown as it is otherwise."""

    head: ClassVar[str] = ""
    """Of its columns in tables and axes in figures."""

    @property
    def parameters(self) -> str:
        """Those that are not the defaults: "correlation=spearman"; may be empty."""
        fields = type(self).model_fields
        changed = {name: value for name, value in self if name != "kind" and value != fields[name].default}
        return ", ".join(f"{name}={_text(value)}" for name, value in changed.items())

    @property
    def name(self) -> str:
        """What tells it from other scores: its kind, with its parameters: "mcc(correlation=spearman)"."""
        return f"{self.kind}({self.parameters})" if self.parameters else self.kind

    @property
    def shown_as(self) -> float:
        """What its values are multiplied by where they are shown."""
        return 100.0 if self.unit == PERCENT else 1.0


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


Score = Annotated[SerializeAsAny[ScoreSpec], member_of("scores")]


class ScoreRequest(Spec):
    """A score of a run that a table or a figure shows."""

    evaluation_set: str
    score: Score
