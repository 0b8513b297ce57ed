"""Scales, as data: how large an experiment is."""

from typing import Any, Literal

from pydantic import Field, PositiveInt, model_validator

from demix.specs.base import Spec

Changes = dict[str, dict[str, Any]]
"""Changes to entries of a suite, by their name or a pattern such as `box-*`, or `* !box-*` for all but those; later
ones win."""


class ScaleSpec(Spec):
    """A scale, whatever the suite."""

    description: str = Field(description="one sentence for the footer of tables")
    seeds: PositiveInt = Field(description="seeds 0 .. n-1")
    device: Literal["auto", "cpu", "cuda"] = "auto"
    claims: Literal["printed", "structural", "none"] = Field(
        "printed",
        description="how the papers' claims are judged: as printed (cells of the published problem only), by the "
        "structure of the results, or not at all",
    )

    @model_validator(mode="before")
    @classmethod
    def _leave_suites_alone(cls, data: Any) -> Any:
        for key in data if isinstance(data, dict) else ():
            if key in ScaleOfSuiteSpec.model_fields and key not in cls.model_fields:
                raise ValueError(f"'{key}' goes into a suite: suites.<suite>.scales.<scale>.{key}")
        return data


class ScaleOfSuiteSpec(Spec):
    """What a scale changes in a suite, from the published settings. It is printed under every table."""

    seeds: PositiveInt | None = Field(None, description="number of seeds, in place of the scale's")
    seeds_of: dict[str, PositiveInt] = Field(
        {}, description="another number of seeds for runs by their name or a pattern; later ones win"
    )
    problems: Changes = Field({}, description="changes to problems")
    models: Changes = Field({}, description="changes to models")
    trainings: Changes = Field({}, description="changes to trainings")
    runs: Changes = Field({}, description="changes to whole runs: {problem: ..., model: ..., training: ...}")
    sweeps: Changes = Field({}, description="changes to sweeps, such as a coarser grid")
    figures: Changes = Field({}, description="changes to figures, such as smaller images")
