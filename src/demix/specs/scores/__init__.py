"""Scores, as data: how codes are compared with what is known of the samples, such as their true factors.

The contract of the code behind a spec is `demix.scores.common.base.Score`.
"""

from typing import Annotated, Any, ClassVar

from pydantic import SerializeAsAny

from demix.specs.base import Component, Spec
from demix.specs.families import member_of

PERCENT = "percent"


class ScoreSpec(Component):
    """What every score says of itself. Its implementation is a `demix.scores.common.base.Score`;
    `demix.scores.r2` is one to copy.
    """

    libraries: ClassVar[tuple[str, ...]] = ("numpy", "scipy")
    needs: ClassVar[tuple[str, ...]] = ("factors",)
    """Names of what its `value` reads of `known`, such as "factors" or "labels": of `ProblemSpec.known`."""

    unit: ClassVar[str] = PERCENT
    """Unit that tables and figures show. With "percent", `value` returns a fraction, which is shown times 100; with any
    other unit the returned number is shown as it is."""

    head: ClassVar[str] = ""
    """Heading of its columns in tables and label of its axis in figures, such as "R2 [%]"; empty: its kind."""

    @property
    def parameters(self) -> str:
        """Parameters that are not at their defaults, such as "correlation=spearman"; may be empty."""
        fields = type(self).model_fields
        changed = {name: value for name, value in self if name != "kind" and value != fields[name].default}
        return ", ".join(f"{name}={_text(value)}" for name, value in changed.items())

    @property
    def name(self) -> str:
        """Its name in files and columns: its kind with the parameters that are not defaults, such as
        "mcc(correlation=spearman)"."""
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
