"""The configuration as a whole: `workflow_config.yaml` with the files of its suites."""

from typing import Any, Literal

from pydantic import Field, PositiveInt, field_validator, model_validator

from demix.specs.base import Spec
from demix.specs.families import kinds
from demix.specs.names import Name
from demix.specs.scale import ScaleSpec
from demix.specs.sources import Source
from demix.specs.suite import SuiteSpec
from demix.support.errors import unknown


def kind_of_source(name: str) -> str:
    """What kind of source an entry of `datasets` is that does not say so."""
    return name if name in kinds("sources") else "files"


class WorkflowSpec(Spec):
    """The whole configuration.

    In a file, a suite may be `{file: PATH}`, relative to that file; entries beside `file` are laid over the file's.
    """

    scale: str = Field("demo", description="which scale to run")
    seeds: PositiveInt | None = Field(None, description="number of seeds, in place of the scale's")
    device: Literal["auto", "cpu", "cuda"] | None = Field(None, description="in place of the scale's")
    datasets: dict[str, Source] = Field(
        {},
        description="where data sets come from that are not made here, by the name of their source; an entry without "
        "kind is of the kind of that name, or else of kind files",
    )
    scales: dict[str, ScaleSpec]
    suites: dict[Name, SuiteSpec] = Field(description="families of experiments, in the order of their tables")

    @model_validator(mode="before")
    @classmethod
    def _leave_suites_alone(cls, data: Any) -> Any:
        for key in data if isinstance(data, dict) else ():
            if key in SuiteSpec.model_fields and key not in cls.model_fields:
                suites = ", ".join(map(str, data.get("suites") or ()))
                raise ValueError(
                    f"'{key}' goes into a suite: suites.<suite>.{key}, where <suite> is one there is ({suites}) or a "
                    "name of your own"
                )
        return data

    @field_validator("datasets", mode="before")
    @classmethod
    def _kinds_of_sources(cls, entries: Any) -> Any:
        """The name of an entry is its kind where it names none, as in `kitti_masks: {urls: [...]}`."""
        if not isinstance(entries, dict):
            return entries
        return {
            name: {"kind": kind_of_source(name), **entry} if isinstance(entry, dict) else entry
            for name, entry in entries.items()
        }

    @model_validator(mode="after")
    def _scales_exist(self) -> "WorkflowSpec":
        for name, suite in self.suites.items():
            for scale in suite.scales:
                if scale not in self.scales:
                    raise ValueError(f"suites.{name}.scales: {unknown('scale', scale, self.scales)}")
        return self

    @model_validator(mode="after")
    def _names_are_unique(self) -> "WorkflowSpec":
        for kinds_of_entries in (("runs", "sweeps"), ("tables", "figures")):
            taken: dict[str, str] = {}
            for suite, kind, name in self._entries(kinds_of_entries):
                place = f"suites.{suite}.{kind}.{name}"
                if name in taken:
                    raise ValueError(f"{place}: the name is taken by {taken[name]}")
                taken[name] = place
        return self

    def _entries(self, kinds_of_entries: tuple[str, ...]) -> list[tuple[str, str, str]]:
        """Suite, kind and name of all entries of these kinds."""
        return [
            (suite, kind, name)
            for suite, content in self.suites.items()
            for kind in kinds_of_entries
            for name in getattr(content, kind)
        ]
