"""The configuration file: what `workflow_config.yaml` may hold."""

from typing import Annotated, Any, Literal

from pydantic import Field, PositiveInt, SerializeAsAny, StringConstraints, field_validator, model_validator

from demix.specs.base import Spec
from demix.specs.families import kinds, member
from demix.specs.figures.kinds import Figure
from demix.specs.scores import Score, ScoreSpec
from demix.specs.sources import SourceSpec
from demix.support.errors import unknown

Patches = dict[str, dict[str, Any]]
"""Changes to entries of the configuration, by their name or a pattern such as `box-*`, or `* !box-*` for all but those;
later ones win."""


class ScaleSpec(Spec):
    """How large an experiment is, as changes to the published settings. They are printed under every table."""

    description: str = Field(description="one sentence for the footer of tables")
    seeds: PositiveInt = Field(description="seeds 0 .. n-1")
    seeds_of: dict[str, PositiveInt] = Field(
        {}, description="another number of seeds for runs by their name or a pattern; later ones win"
    )
    device: Literal["auto", "cpu", "cuda"] = "auto"
    claims: Literal["printed", "structural", "none"] = Field(
        "printed",
        description="how the papers' claims are judged: as printed (cells of the published problem only), by the "
        "structure of the results, or not at all",
    )
    problems: Patches = Field({}, description="changes to problems")
    models: Patches = Field({}, description="changes to models")
    trainings: Patches = Field({}, description="changes to trainings")
    runs: Patches = Field({}, description="changes to whole runs: {problem: ..., model: ..., training: ...}")
    sweeps: Patches = Field({}, description="changes to sweeps, such as a coarser grid")
    figures: Patches = Field({}, description="changes to figures, such as smaller pictures")


class RunNamesSpec(Spec):
    """A run by the names of its parts. Without model and training the raw observations are scored."""

    problem: str
    model: str | None = None
    training: str | None = None


class SweepSpec(RunNamesSpec):
    """Runs that differ in one value, or in several: one for every combination.

    The run of a value is called <name of the sweep>@<value>; tables, figures and a scale's changes to runs use that
    name.
    """

    vary: dict[str, tuple[int | float, ...]] = Field(
        min_length=1, description="place in the run, such as problem.marginal.concentration, to its values"
    )

    @field_validator("vary")
    @classmethod
    def _values_differ(cls, vary: dict[str, tuple[int | float, ...]]) -> dict[str, tuple[int | float, ...]]:
        for place, values in vary.items():
            if not values or len(set(values)) < len(values):
                raise ValueError(f"{place} needs at least one value and none of them twice")
        return vary


Source = SerializeAsAny[SourceSpec]


class TableSpec(Spec):
    """A table: its rows by the id of the printed row, each with its runs by the printed column."""

    title: str
    metrics: tuple[str, ...] = Field(description="scores to print")
    scores: dict[str, Score] = Field(
        {}, description="the score that stands for a printed one where it is not that of the same name"
    )
    metrics_of: dict[str, tuple[str, ...]] = Field({}, description="scores of a setting that does not have all of them")
    evaluation_set: str = Field("marginal", description="which of the evaluation sets the scores are taken on")
    also_on: tuple[str, ...] = Field(
        (), description="further evaluation sets: a column for each that the runs have, which the papers do not print"
    )
    rows: dict[str, dict[str, str]] = Field(description="row id to {setting: run id}, in printed order")
    notes: tuple[str, ...] = Field((), description="sentences for the footer, such as which settings are our choice")

    def score_of(self, metric: str) -> ScoreSpec:
        """The score that stands for a printed one: that of the same name with its defaults, unless `scores` says more.

        Raises:
            ValueError: there is no such score.
        """
        return self.scores.get(metric) or member("scores", metric)()  # type: ignore[return-value]

    @model_validator(mode="after")
    def _not_empty(self) -> "TableSpec":
        if not self.metrics or not self.rows:
            raise ValueError("a table needs at least one metric and one row")
        return self


Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]*$")]
"""A name that becomes part of a path and of a rule."""

RESERVED = frozenset(
    {"all", "all_tables", "all_figures", "synthetic_problem", "train", "reuse", "score", "collect", "render_table"}
    | {"check_theorems", "collect_figure", "render_figure", "report"}
    | {"download_kitti_masks", "make_kitti_stand_in", "collect_traces"}
    | {"download_3dident", "unpack_3dident", "read_local_pictures", "score_pixels", "collect_latents"}
    | {"make_renderer", "picture_latents", "render_shard", "reuse_shard", "pack_pictures", "collect_pictures"}
)
"""Names of rules, which no table and no figure may have."""


class WorkflowSpec(Spec):
    """The whole file. Entries of `problems`, `models` and `trainings` are specs of their own, checked by name."""

    scale: str = Field("demo", description="which scale to run")
    seeds: PositiveInt | None = Field(None, description="number of seeds, in place of the scale's")
    device: Literal["auto", "cpu", "cuda"] | None = Field(None, description="in place of the scale's")
    datasets: dict[str, Source] = Field({}, validate_default=True, description="where external data comes from")
    scales: dict[str, ScaleSpec]
    problems: dict[str, dict[str, Any]]
    models: dict[str, dict[str, Any]]
    trainings: dict[str, dict[str, Any]]
    runs: dict[Name, RunNamesSpec]
    sweeps: dict[Name, SweepSpec] = Field({})
    tables: dict[Name, TableSpec]
    figures: dict[Name, Figure] = Field({})

    @field_validator("datasets", mode="before")
    @classmethod
    def _sources(cls, entries: Any) -> Any:
        """An entry is of the kind that it is named after; those that are not there have their defaults."""
        if not isinstance(entries, dict):
            return entries
        for name in entries:
            if name not in kinds("sources"):
                raise ValueError(unknown("data set", name, kinds("sources")))
        return {name: member("sources", name).model_validate(entries.get(name, {})) for name in kinds("sources")}

    @field_validator("tables", "figures")
    @classmethod
    def _no_rule(cls, entries: dict[str, Any]) -> dict[str, Any]:
        for name in entries:
            if name in RESERVED:
                raise ValueError(f"'{name}' is a rule of the workflow, a table or figure needs another name")
        return entries

    @model_validator(mode="after")
    def _targets_differ(self) -> "WorkflowSpec":
        for name in self.figures:
            if name in self.tables:
                raise ValueError(f"'{name}' is both a table and a figure; each target needs a name of its own")
        return self
