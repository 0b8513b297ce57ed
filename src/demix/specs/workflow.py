"""The configuration file: what `workflow_config.yaml` may hold."""

from typing import Annotated, Any, Literal

from pydantic import Field, PositiveInt, StringConstraints, field_validator, model_validator

from demix.specs.base import Spec
from demix.specs.figures import Figure
from demix.specs.pictures import DownloadedPictures, LocalPictures, Md5, PictureData, RenderedPictures

Patches = dict[str, dict[str, Any]]
"""Changes to entries of the configuration, by their name or a pattern such as `box-*`, or `* !box-*` for all but those;
later ones win."""


class Scale(Spec):
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


class RunNames(Spec):
    """A run by the names of its parts. Without model and training the raw observations are scored."""

    problem: str
    model: str | None = None
    training: str | None = None


class Sweep(RunNames):
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


Metric = Literal[
    "r2",
    "r2_held_out",
    "mcc",
    "mcc_spearman",
    "mcc_spearman_padded",
    "isometry_gap",
    "dot_products",
    "off_permutation",
]
"""Scores that tables can show."""


class Source(Spec):
    """Where an external data set comes from. What is in it is said by the problems, and checked."""

    urls: tuple[str, ...] = Field((), description="addresses to try in turn; a download that broke off is resumed")
    path: str | None = Field(None, description="a local copy of the file, in place of a download")


ZENODO = "https://zenodo.org/record/4502485/files/3dident_{}.tar?download=1"


class PictureSource(Spec):
    """Where the pictures of 3DIdent come from. Runs do not know; which pictures they are is part of their keys."""

    source: Literal["render", "download", "local"] = Field(
        "render",
        description="render: made here by Blender as `problems` say; download: the published archives; local: a folder "
        "in their layout. Size and number of the pictures are those of `problems` in any case",
    )
    urls: dict[Literal["train", "test"], tuple[str, ...]] = Field(
        {split: (ZENODO.format(split),) for split in ("train", "test")},
        description="addresses of the archives to try in turn; a download that broke off is resumed",
    )
    md5: dict[Literal["train", "test"], Md5] = Field(
        {}, description="checksums of other archives than the published ones"
    )
    path: str | None = Field(None, description="the folder, for source local")
    device: Literal["cpu", "cuda", "optix", "hip", "oneapi"] = Field(
        "cpu", description="what Blender computes on. It is in the data card and in no key"
    )
    threads: PositiveInt = Field(2, description="CPU threads of a job that renders; they change no picture")

    @model_validator(mode="after")
    def _local_has_a_path(self) -> "PictureSource":
        if (self.source == "local") != (self.path is not None):
            raise ValueError(f"path goes with source local, got source={self.source} and path={self.path}")
        return self

    def pictures(self, rendered: PictureData) -> PictureData:
        """The data that stands for pictures which the configuration describes as rendered."""
        if self.source == "render" or not isinstance(rendered, RenderedPictures):
            return rendered
        shared = {"train": rendered.train, "test": rendered.test, "size": rendered.pixels}
        if self.path is not None:
            return LocalPictures(path=self.path, **shared)
        return DownloadedPictures(**shared, **{f"{split}_md5": md5 for split, md5 in self.md5.items()})


class Datasets(Spec):
    """Where external data comes from."""

    kitti_masks: Source = Source()
    threedident: PictureSource = PictureSource()


class Table(Spec):
    """A table: its rows by the id of the printed row, each with its runs by the printed column."""

    title: str
    metrics: tuple[Metric, ...] = Field(description="scores to print")
    scores: dict[Metric, Metric] = Field(
        {}, description="the score that stands for a printed one where it is not that of the same name"
    )
    metrics_of: dict[str, tuple[Metric, ...]] = Field(
        {}, description="scores of a setting that does not have all of them"
    )
    evaluation_set: str = Field("marginal", description="which of the evaluation sets the scores are taken on")
    also_on: tuple[str, ...] = Field(
        (), description="further evaluation sets: a column for each that the runs have, which the papers do not print"
    )
    rows: dict[str, dict[str, str]] = Field(description="row id to {setting: run id}, in printed order")
    notes: tuple[str, ...] = Field((), description="sentences for the footer, such as which settings are our choice")

    @model_validator(mode="after")
    def _not_empty(self) -> "Table":
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


class WorkflowConfig(Spec):
    """The whole file. Entries of `problems`, `models` and `trainings` are specs of their own, checked by name."""

    scale: str = Field("demo", description="which scale to run")
    seeds: PositiveInt | None = Field(None, description="number of seeds, in place of the scale's")
    device: Literal["auto", "cpu", "cuda"] | None = Field(None, description="in place of the scale's")
    datasets: Datasets = Field(Datasets(), description="where external data comes from")
    scales: dict[str, Scale]
    problems: dict[str, dict[str, Any]]
    models: dict[str, dict[str, Any]]
    trainings: dict[str, dict[str, Any]]
    runs: dict[Name, RunNames]
    sweeps: dict[Name, Sweep] = Field({})
    tables: dict[Name, Table]
    figures: dict[Name, Figure] = Field({})

    @field_validator("tables", "figures")
    @classmethod
    def _no_rule(cls, entries: dict[str, Any]) -> dict[str, Any]:
        for name in entries:
            if name in RESERVED:
                raise ValueError(f"'{name}' is a rule of the workflow, a table or figure needs another name")
        return entries

    @model_validator(mode="after")
    def _targets_differ(self) -> "WorkflowConfig":
        for name in self.figures:
            if name in self.tables:
                raise ValueError(f"'{name}' is both a table and a figure; each target needs a name of its own")
        return self
