"""The plan of runs: training, encoding what a training did not encode, results from the cache, scores."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from demix.datasets.common.rendering import Shard
from demix.experiment.experiment import Experiment
from demix.experiment.keys import result_key
from demix.experiment.run import Run
from demix.specs.base import content
from demix.specs.scores import ScoreRequest
from demix.support.codes import FILE as CODES
from demix.support.named import Named
from demix.support.provenance import FILE as PROVENANCE
from demix.support.provenance import Provenance
from demix.workflow import paths
from demix.workflow.budget import encode_memory_mb, raw_memory_mb, train_memory_mb, train_minutes
from demix.workflow.plan.common import Wildcards, as_json, options, step_code
from demix.workflow.plan.data import DataPlan
from demix.workflow.slurm import Site
from demix.workflow.store import MANIFEST, Entry, Store, seed_part

RESULTS = (CODES, PROVENANCE)
"""What a trained or raw run leaves for scoring."""


class RunPlan:
    """Runs of all kinds of problems.

    Args:
        experiment: the configuration at one scale.
        site: what the cluster is like.
        store: the cache that clones share; None where there is none.
        data: the plan of their data.
        requests: scores of them that tables and figures show, by run id.
        forced: whether jobs are run although their results are there; called when jobs are planned.
    """

    def __init__(
        self,
        experiment: Experiment,
        site: Site,
        store: Store | None,
        data: DataPlan,
        requests: Mapping[str, tuple[ScoreRequest, ...]],
        forced: Callable[[], bool] = bool,
    ):
        self._experiment, self._site, self._store, self._data = experiment, site, store, data
        self._runs = Named("run", {paths.run_name(run): run for run in experiment.runs.values()})
        self._specs: dict[str, str] = {}
        self._requests, self._forced = requests, forced
        self._priorities = _priorities(experiment)

    @property
    def gpus(self) -> int:
        """GPUs that a training asks for, whatever this machine has."""
        return int(self._experiment.device != "cpu")

    def run(self, wildcards: Wildcards) -> Run:
        """The run of a folder."""
        return self._runs[wildcards.run]

    def name(self, wildcards: Wildcards) -> str:
        """The id of a run."""
        return self.run(wildcards).id

    def spec(self, wildcards: Wildcards, input: Any) -> str:
        """The resolved spec of a run, as JSON. Snakemake does not record it: what decides a result is in the key, and
        a spec says more, such as what a finished training is to be scored on."""
        if wildcards.run not in self._specs:  # once for all its seeds
            self._specs[wildcards.run] = as_json(self.run(wildcards).spec)
        return self._specs[wildcards.run]

    def key(self, wildcards: Wildcards) -> str:
        """The key of a run."""
        return self.run(wildcards).key

    def seed(self, wildcards: Wildcards) -> int:
        """The seed of a job."""
        return int(wildcards.seed)

    def card(self, wildcards: Wildcards) -> Path:
        """The small file that names the data of a run with a seed. Its age does not matter: its key is in its path."""
        return paths.data_folder(self.run(wildcards), int(wildcards.seed)) / paths.CARD

    # ----------------------------------------------------------------------------------------------------- training
    def training_card(self, wildcards: Wildcards) -> Path | list[Path]:
        """The same for a training; none where it is finished and its data is not there. An input that has to be made
        would be a reason to train anew, but with its key in the path of the results no data can be another one."""
        card = self.card(wildcards)
        finished = (self._folder(wildcards) / PROVENANCE).exists()
        return [] if finished and not self._forced() and not card.exists() else card

    def _folder(self, wildcards: Wildcards) -> Path:
        return paths.seed_folder(self._experiment, self.run(wildcards), int(wildcards.seed))

    def priority(self, wildcards: Wildcards) -> int:
        """Runs of earlier tables go first, so that the first table is there while the others still train."""
        return self._priorities.get(self.name(wildcards), 0)

    def threads(self, wildcards: Wildcards) -> int:
        """CPU threads, which are part of the spec."""
        training = self.run(wildcards).spec.training
        return training.threads if training else 1

    def train_memory(self, wildcards: Wildcards, attempt: int) -> int:
        """Memory of a training in MB."""
        return attempt * train_memory_mb(self.run(wildcards).spec, self.gpus)

    def train_minutes(self, wildcards: Wildcards, attempt: int) -> int:
        """Run time of a training."""
        return self._site.minutes(attempt * train_minutes(self.run(wildcards).spec, self.gpus))

    def device(self, wildcards: Wildcards, input: Any) -> str:
        """What it computes on. Snakemake does not record it: another device makes no result anew."""
        return self._experiment.device

    def cpu(self, wildcards: Wildcards, input: Any) -> str:
        """The device of what is fast enough without a GPU."""
        return "cpu"

    # ----------------------------------------------------------------------------------------------------- encoding
    def raw_memory(self, wildcards: Wildcards) -> int:
        """Memory in MB to score raw images."""
        return raw_memory_mb(self.run(wildcards).spec)

    def encode_memory(self, wildcards: Wildcards, attempt: int) -> int:
        """Memory in MB to encode an evaluation set."""
        return attempt * encode_memory_mb(self.run(wildcards).spec, self.gpus)

    def set_options(self, wildcards: Wildcards, input: Any) -> list[str]:
        """Options of `demix.encode` for an evaluation set that a finished training does not have."""
        return options(weights=input.weights, set=wildcards.set)

    def sets_to_encode(self, run: Run, seed: int, names: Iterable[str]) -> list[Path]:
        """Files of those evaluation sets that a finished training, here or in the cache, does not have with their
        present key: they are encoded. A training still to come has all of them."""
        there = None if run.is_raw else self._sets_there(run, seed)
        if there is None:
            return []
        missing = [name for name in names if there.get(name) != run.spec.problem.set_key(name)]
        return [paths.later_set(self._experiment, run, seed, name) for name in missing]

    def _sets_there(self, run: Run, seed: int) -> dict[str, str] | None:
        """Keys of the evaluation sets of a finished training; None if it is not finished."""
        record = Provenance.found(paths.seed_folder(self._experiment, run, seed) / PROVENANCE)
        if record is not None:
            return record.sets
        if self._store is None or not self._store.holds("train", run.key, seed_part(seed), contents=False):
            return None
        return Entry(self._store.folder("train", run.key, seed_part(seed))).sets

    # ---------------------------------------------------------------------------------------------------- the cache
    def cached_run(self, wildcards: Wildcards) -> Path:
        """The entry of a trained run in the cache. Where there is no whole one its path does not exist, and the rule
        that needs it does not apply."""
        assert self._store is not None
        run, seed = self.run(wildcards), int(wildcards.seed)
        finished = (paths.seed_folder(self._experiment, run, seed) / PROVENANCE).exists()
        place = "train", run.key, seed_part(seed)
        whole = self._store.holds(*place, contents=not finished, data=self._data.external_hash(run))
        return self._store.folder(*place) / (MANIFEST if whole else "none")

    def cached_shard(self, wildcards: Wildcards) -> Path:
        """The same for a shard of rendered images. Its size alone is looked at here: the digests of all shards of a
        data set would be gigabytes to read; they are when it is taken."""
        assert self._store is not None
        shard: Shard = self._data.shard(wildcards)
        place = "render_shard", result_key(self._data.dataset(wildcards)), shard.name
        there = self._store.holds(*place, contents=False)
        return self._store.folder(*place) / (MANIFEST if there else "none")

    def no_device(self, wildcards: Wildcards, input: Any) -> str:
        """In place of a device: the result comes from the cache."""
        return "none"

    # ------------------------------------------------------------------------------------------------------- scores
    def results(self, wildcards: Wildcards) -> list[Path]:
        """Codes and provenance of all seeds of a run."""
        run = self.run(wildcards)
        return self.results_of(run, run.seeds)

    def results_of(self, run: Run, seeds: Iterable[int]) -> list[Path]:
        """Codes and provenance of a run for some seeds."""
        folders = (paths.seed_folder(self._experiment, run, seed) for seed in seeds)
        return [folder / name for folder in folders for name in RESULTS]

    def scored_sets(self, wildcards: Wildcards) -> list[Path]:
        """Evaluation sets of a run that have to be encoded before it is scored."""
        run = self.run(wildcards)
        return [path for seed in run.seeds for path in self.sets_to_encode(run, seed, self._set_names(run))]

    def set_keys(self, wildcards: Wildcards) -> list[str]:
        """Keys of the evaluation sets that are scored: a file that is missing is no reason for Snakemake to score anew
        what was scored before."""
        run = self.run(wildcards)
        return [run.spec.problem.set_key(name) for name in self._set_names(run)]

    def _set_names(self, run: Run) -> list[str]:
        return list(dict.fromkeys(request.evaluation_set for request in self.requests_of(run)))

    def requests_of(self, run: Run) -> tuple[ScoreRequest, ...]:
        """Scores of a run that some table or figure asks for."""
        return self._requests.get(run.id, ())

    def requests(self, wildcards: Wildcards) -> str:
        """The same, as JSON."""
        return json.dumps([content(request) for request in self.requests_of(self.run(wildcards))], sort_keys=True)

    def score_code(self, wildcards: Wildcards) -> str:
        """Digest of the code of the requested scores."""
        scores = (request.score for request in self.requests_of(self.run(wildcards)))
        modules = {score.implemented_by.split(":")[0] for score in scores}
        return step_code("demix.scores.common.values", *modules)

    def score_options(self, wildcards: Wildcards, input: Any) -> list[str]:
        """Those of `demix.score` that name what there is to score."""
        folders = dict.fromkeys(Path(path).parent for path in input.results)
        return options(results=folders, sets=input.sets, values=paths.score_values(self._experiment))

    def seed_count(self, wildcards: Wildcards) -> int:
        """Number of seeds of a run."""
        return len(self.run(wildcards).seeds)


def _priorities(experiment: Experiment) -> dict[str, int]:
    """The higher the earlier the first table that has a run."""
    found: dict[str, int] = {}
    for place, table in enumerate(experiment.tables):
        for run in experiment.runs_of(table):
            found.setdefault(run.id, len(experiment.tables) - place)
    return found
