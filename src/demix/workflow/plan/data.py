"""The plan of data: files that are fetched, data sets, shards of rendered images, synthetic problems."""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

from demix.datasets.common.card import card_hash, missing_after, next_attempt
from demix.datasets.common.rendering import Shard, shard_minutes, shards
from demix.experiment.experiment import Experiment
from demix.experiment.keys import result_key
from demix.experiment.run import Run
from demix.specs.datasets import DatasetSpec, FileSpec
from demix.specs.datasets.common.rendering import RenderingSpec
from demix.specs.datasets.renderer import RendererSpec
from demix.support.named import Named
from demix.workflow import paths
from demix.workflow.plan.common import Wildcards, as_json, options
from demix.workflow.slurm import Site


class DataPlan:
    """Data of all runs and figures, whatever their kind.

    It is made when the workflow starts, and notes the number of the next attempt at each data set and file. A card that
    is written later with this number tells that this workflow has tried already; older failures are tried again.

    Args:
        experiment: the configuration at one scale.
        site: what the cluster is like.
    """

    def __init__(self, experiment: Experiment, site: Site):
        self._experiment, self._site = experiment, site
        runs = experiment.runs.values()
        self._problems = Named("problem", {paths.data_name(run): run for run in runs if run.has_own_data})
        self._datasets = Named("data set", dict(self._all_datasets()))
        self._files = Named("file", {_file_name(spec, file): (spec, file) for spec, file in self._all_files()})
        self._attempts = {card: next_attempt(card) for card in self._cards()}
        self._shards = {
            name: Named("shard", {shard.name: shard for shard in shards(spec)}) for name, spec in self._datasets.items()
        }

    def _all_datasets(self) -> Iterable[tuple[str, DatasetSpec]]:
        """Kind and name, as the folder has them, and spec of every data set."""
        found: dict[Path, DatasetSpec] = {}
        for run in self._experiment.runs.values():
            if run.spec.problem.dataset is not None:
                found[paths.data_home(run)] = run.spec.problem.dataset
        for figure in self._experiment.figures.values():
            if figure.rendered is not None:
                found[paths.dataset_folder(figure.rendered)] = figure.rendered
        if any(spec.shards for spec in found.values()):
            found[paths.dataset_folder(RendererSpec())] = RendererSpec()
        return ((f"{folder.parent.name}/{folder.name}", spec) for folder, spec in found.items())

    def _all_files(self) -> Iterable[tuple[DatasetSpec, FileSpec]]:
        return ((spec, file) for spec in self._datasets.values() for file in spec.files)

    def _cards(self) -> Iterable[Path]:
        yield from (paths.data_root() / name / paths.CARD for name in self._datasets)
        yield from (_card(spec, file) for spec, file in self._all_files())

    # ------------------------------------------------------------------------------------------------ all data sets
    def dataset(self, wildcards: Wildcards) -> DatasetSpec:
        """The data set of a folder."""
        return self._datasets[f"{wildcards.kind}/{wildcards.name}"]

    def spec(self, wildcards: Wildcards, input: Any) -> str:
        """The spec of a data set, as JSON. Snakemake does not record it: what decides the data is in its key."""
        return as_json(self.dataset(wildcards))

    def key(self, wildcards: Wildcards) -> str:
        """The key of a data set."""
        return result_key(self.dataset(wildcards))

    def attempt(self, wildcards: Wildcards) -> int:
        """Which attempt to get a data set this workflow makes."""
        return self._attempts[paths.data_root() / wildcards.kind / wildcards.name / paths.CARD]

    def parts(self, wildcards: Wildcards) -> dict[str, list[Path]]:
        """What has to be there before a data set can be made: cards of files, environment to render in, shards."""
        spec = self.dataset(wildcards)
        files = [_card(spec, file) for file in spec.files]
        renderer = [paths.renderer_card()] if spec.shards else []
        return {"files": files, "renderer": renderer, "shards": self.shards_of(spec)}

    def part_options(self, wildcards: Wildcards, input: Any) -> list[str]:
        """Those of `demix.obtain_data` that name the parts, and what else helps where they cannot be had."""
        spec = self.dataset(wildcards)
        hint = self._source(spec).hint(spec)
        return options(files=input.files, renderer=input.renderer, shards=input.shards, hint=hint)

    def _source(self, spec: DatasetSpec) -> Any:
        """Where a data set comes from; that of a rendered one has a device and threads."""
        return self._experiment.source_of(spec)

    def cards(self, runs: Iterable[Run]) -> list[Path]:
        """Cards of the data sets of runs that may not be available."""
        external = (run for run in runs if run.spec.problem.external)
        return list(dict.fromkeys(paths.data_home(run) / paths.CARD for run in external))

    def all_there(self, runs: Iterable[Run]) -> bool:
        """False after a step of this very workflow has found that data of these runs is not available."""
        return not any(missing_after(card, self._attempts[card]) for card in self.cards(runs))

    def external_hash(self, run: Run) -> str:
        """Hash of the external data of a run; empty if it has none."""
        return card_hash(paths.data_home(run) / paths.CARD) if run.spec.problem.external else ""

    # -------------------------------------------------------------------------------------------------------- files
    def _file(self, wildcards: Wildcards) -> tuple[DatasetSpec, FileSpec]:
        """A file that is fetched, and the data set that needs it."""
        return self._files[f"{wildcards.source}/{wildcards.file}"]

    def file_spec(self, wildcards: Wildcards, input: Any) -> str:
        """The spec of a file that is fetched, as JSON. Snakemake does not record it: the checksum is in its place."""
        return as_json(self._file(wildcards)[1])

    def file_attempt(self, wildcards: Wildcards) -> int:
        """Which attempt to fetch a file this workflow makes."""
        return self._attempts[paths.data_root() / "files" / wildcards.source / wildcards.file / paths.CARD]

    def file_options(self, wildcards: Wildcards, input: Any) -> list[str]:
        """Those of `demix.fetch_file` that say where a file comes from. Snakemake does not record what depends on
        `input`: another address fetches nothing anew."""
        spec, file = self._file(wildcards)
        source = self._source(spec)
        return options(urls=source.urls_of(file), path=source.path_of(file) or "", hint=source.hint(spec))

    # ------------------------------------------------------------------------------------------------------- shards
    def shards_of(self, spec: DatasetSpec) -> list[Path]:
        """The shards of images; none after a step of this very workflow has found that they cannot be rendered."""
        files = [paths.shard_file(spec, shard.name) for shard in shards(spec)]
        if not files:
            return []
        missing = missing_after(paths.renderer_card(), self._attempts[paths.renderer_card()])
        return [] if missing and not all(file.exists() for file in files) else files

    def shard(self, wildcards: Wildcards) -> Shard:
        """A shard, by its split and the index of its first image."""
        return self._shards[f"{wildcards.kind}/{wildcards.name}"][f"{wildcards.split}-{wildcards.first}"]

    def shard_first(self, wildcards: Wildcards) -> int:
        """Index of the first image of a shard."""
        return self.shard(wildcards).first

    def shard_count(self, wildcards: Wildcards) -> int:
        """Number of images of a shard."""
        return self.shard(wildcards).count

    def shard_split(self, wildcards: Wildcards) -> str:
        """Split of a shard."""
        return self.shard(wildcards).split

    def render_device(self, wildcards: Wildcards, input: Any) -> str:
        """What Blender computes on. Snakemake does not record it: another device renders nothing anew."""
        return self._source(self.dataset(wildcards)).device

    def render_threads(self, wildcards: Wildcards) -> int:
        """CPU threads of a job that renders; they change no image."""
        return self._source(self.dataset(wildcards)).threads

    @cached_property
    def render_gpus(self) -> int:
        """GPUs of a job that renders."""
        rendered = (spec for spec in self._datasets.values() if spec.shards)
        return int(any(self._source(spec).device != "cpu" for spec in rendered))

    def render_minutes(self, wildcards: Wildcards, attempt: int) -> int:
        """Run time of a job that renders."""
        spec, count, threads = self.dataset(wildcards), self.shard_count(wildcards), self.render_threads(wildcards)
        assert isinstance(spec, RenderingSpec)
        return self._site.minutes(attempt * shard_minutes(spec, count, threads, self.render_gpus))

    # ------------------------------------------------------------------------------------------- synthetic problems
    def problem_spec(self, wildcards: Wildcards, input: Any) -> str:
        """What decides the data of a synthetic problem, as JSON; not recorded, as with `spec`."""
        return as_json(self._problems[wildcards.data].spec.problem.data_spec)

    def problem_key(self, wildcards: Wildcards) -> str:
        """The key of the data of a synthetic problem."""
        return self._problems[wildcards.data].data_key


def _file_name(spec: DatasetSpec, file: FileSpec) -> str:
    return f"{paths.source_name(spec)}/{paths.fetched_name(file)}"


def _card(spec: DatasetSpec, file: FileSpec) -> Path:
    return paths.fetched_card(paths.source_name(spec), file)
