"""A suite, as data: one family of experiments."""

from typing import Any

from pydantic import Field

from demix.specs.base import Spec
from demix.specs.figures.kinds import Figure
from demix.specs.names import Name
from demix.specs.run_names import RunNamesSpec
from demix.specs.scale import ScaleOfSuiteSpec
from demix.specs.sweep import SweepSpec
from demix.specs.table import Cells, TableSpec


class SuiteSpec(Spec):
    """One family of experiments, as a file of its own or in the configuration: what belongs together.

    Entries of `problems`, `models` and `trainings` are specs of their own, checked by name; they belong to the suite,
    another one refers to them as `suite/name`. Ids of runs and sweeps, and of tables and figures, are unique over all
    suites.
    """

    problems: dict[Name, dict[str, Any]] = Field({}, description="see `describe problems`")
    models: dict[Name, dict[str, Any]] = Field({}, description="see `describe model`")
    trainings: dict[Name, dict[str, Any]] = Field({}, description="see `describe training`")
    runs: dict[Name, RunNamesSpec] = Field({}, description="run id to the names of its parts")
    sweeps: dict[Name, SweepSpec] = Field({}, description="runs that differ in one value")
    baselines: dict[Name, Cells] = Field(
        {}, description="name to {setting: run id}: runs that several rows of tables show"
    )
    tables: dict[Name, TableSpec] = Field({}, description="each is a target of its name")
    figures: dict[Name, Figure] = Field({}, description="each is a target of its name; see `describe figures.kinds`")
    scales: dict[str, ScaleOfSuiteSpec] = Field({}, description="what each scale changes in this suite")
