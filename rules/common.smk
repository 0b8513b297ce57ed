# What the rules share: the experiment at the chosen scale, and small path and input helpers.
# Rules say what depends on what; everything that can be tested lives in the package `demix`.
import json
import os
import sys

from demix import paths
from demix.environment import put_this_python_first
from demix.errors import DemixError
from demix.experiment import Experiment
from demix.tables.plan import table_plan

put_this_python_first()

try:
    EXPERIMENT = Experiment(config)
except DemixError as error:
    sys.exit("\n".join(f"demix: error: {line}" for line in str(error).splitlines()))

RUNS = {paths.run_name(run): run for run in EXPERIMENT.runs.values() if not run.is_raw}
SCORED = {paths.run_name(run): run for run in EXPERIMENT.runs.values()}
DATA = {paths.data_name(run): run for run in EXPERIMENT.runs.values()}


wildcard_constraints:
    scale=EXPERIMENT.scale_name,
    run="|".join(RUNS) or "none",
    scored="|".join(SCORED) or "none",
    data="|".join(DATA) or "none",
    seed="|".join(map(str, EXPERIMENT.seeds)),
    table="|".join(EXPERIMENT.tables) or "none",


def as_json(spec):
    return json.dumps(spec.model_dump(mode="json"), sort_keys=True)


def data_spec(wildcards):
    return as_json(DATA[wildcards.data].spec.problem.without_conditional)


def run_spec(wildcards):
    return as_json(RUNS[wildcards.run].spec)


def run_card(wildcards):
    """The small file that names a run's data. Its age does not matter: the data's key is in its path."""
    return ancient(paths.data_folder(RUNS[wildcards.run], int(wildcards.seed)) / "card.json")


def run_threads(wildcards):
    return RUNS[wildcards.run].spec.training.threads


def run_priority(wildcards):
    """Runs of earlier tables go first, so that the first table is there while the others still train."""
    run = RUNS[wildcards.run].id
    tables = EXPERIMENT.tables.values()
    used = (any(run in cells.values() for cells in table.rows.values()) for table in tables)
    return len(tables) - next((place for place, uses in enumerate(used) if uses), len(tables))


def run_gpus(wildcards):
    """How many GPUs a job asks for does not depend on what this machine has."""
    return int(EXPERIMENT.device == "cuda")


def seed_results(wildcards):
    run = SCORED[wildcards.scored]
    folders = [paths.seed_folder(EXPERIMENT, run, seed) for seed in EXPERIMENT.seeds]
    return [folder / name for folder in folders for name in ("codes.npz", "provenance.json")]


def table_scores(wildcards):
    return [paths.scores_file(EXPERIMENT, run) for run in EXPERIMENT.runs_of(wildcards.table)]


def table_files(table):
    return [paths.table_file(EXPERIMENT, table, ending) for ending in ("parquet", *paths.TABLE_FORMATS)]
