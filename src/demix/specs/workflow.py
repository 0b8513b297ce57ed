"""The configuration file: what `workflow_config.yaml` may hold."""

from typing import Any, Literal

from pydantic import Field, PositiveInt, model_validator

from demix.specs.base import Spec

Patches = dict[str, dict[str, Any]]
"""Changes to entries of the configuration, by their name or a pattern such as `box-*`; later ones win."""


class Scale(Spec):
    """How large an experiment is, as changes to the published settings. They are printed under every table."""

    description: str = Field(description="one sentence for the footer of tables")
    seeds: PositiveInt = Field(description="seeds 0 .. n-1")
    device: Literal["auto", "cpu", "cuda"] = "auto"
    problems: Patches = Field({}, description="changes to problems")
    models: Patches = Field({}, description="changes to models")
    trainings: Patches = Field({}, description="changes to trainings")
    runs: Patches = Field({}, description="changes to whole runs: {problem: ..., model: ..., training: ...}")


class Run(Spec):
    """A run by the names of its parts. Without model and training the raw observations are scored."""

    problem: str
    model: str | None = None
    training: str | None = None


class Table(Spec):
    """A table: its rows by the id of the printed row, each with its runs by the printed column."""

    title: str
    metrics: tuple[Literal["r2", "r2_held_out", "mcc", "mcc_spearman"], ...] = Field(description="scores to print")
    evaluation_set: str = Field("marginal", description="which of the evaluation sets the scores are taken on")
    rows: dict[str, dict[str, str]] = Field(description="row id to {setting: run id}, in printed order")

    @model_validator(mode="after")
    def _not_empty(self) -> "Table":
        if not self.metrics or not self.rows:
            raise ValueError("a table needs at least one metric and one row")
        return self


class WorkflowConfig(Spec):
    """The whole file. Entries of `problems`, `models` and `trainings` are specs of their own, checked by name."""

    scale: str = Field("demo", description="which scale to run")
    seeds: PositiveInt | None = Field(None, description="number of seeds, in place of the scale's")
    device: Literal["auto", "cpu", "cuda"] | None = Field(None, description="in place of the scale's")
    scales: dict[str, Scale]
    problems: dict[str, dict[str, Any]]
    models: dict[str, dict[str, Any]]
    trainings: dict[str, dict[str, Any]]
    runs: dict[str, Run]
    tables: dict[str, Table]
