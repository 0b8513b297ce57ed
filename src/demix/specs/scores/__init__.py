"""Scores, as data: what codes are held against, and how."""

from typing import Annotated, ClassVar

from pydantic import SerializeAsAny

from demix.specs.base import Component, Spec
from demix.specs.families import member_of


class ScoreSpec(Component):
    """What every score says of itself. Its implementation has `value(codes, known, generator)`, see `demix.scores`."""

    libraries: ClassVar[tuple[str, ...]] = ("numpy", "scipy")
    needs: ClassVar[tuple[str, ...]] = ("factors",)
    """What must be known of the samples of an evaluation set."""

    unit: ClassVar[str] = "percent"
    """Of tables; values are fractions where it is percent."""

    head: ClassVar[str] = ""
    """Of its columns in tables and axes in figures."""

    @property
    def name(self) -> str:
        """Its kind, with the parameters that are not the defaults: "mcc(correlation=spearman)"."""
        fields = type(self).model_fields
        changed = {name: value for name, value in self if name != "kind" and value != fields[name].default}
        given = ", ".join(f"{name}={str(value).lower()}" for name, value in changed.items())
        return f"{self.kind}({given})" if given else self.kind


Score = Annotated[SerializeAsAny[ScoreSpec], member_of("scores")]


class ScoreRequest(Spec):
    """A score of a run that a table or a figure shows."""

    evaluation_set: str
    score: Score
