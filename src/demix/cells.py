"""The state of every cell: each run with all its seeds, where its results lie, and the command that makes it anew.

States: running (with step and time left; on a cluster with job and node), queued (a workflow in progress will come to
it), interrupted (the next workflow goes on from its checkpoint), failed (with the last line of its log), missing, stale
(there are results, but of other settings or code), diverged, done.

    python -m demix.cells                              every cell of the scale
    python -m demix.cells --table icml_table1          those of a table
    python -m demix.cells sph-uni-vmf1_sph-vmf1        one run, with a command for every seed
    python -m demix.cells --stale                      results that the configuration does not name any more
    python -m demix.cells --stale --prune              delete those of runs that have another key now

A printed command trains the cell anew even if it is finished, and never takes it from a cache; `snakemake TABLE`
afterwards renews the table. On a cluster, add `--profile slurm` to it.
"""

import argparse
import json
import shlex
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from demix.experiment.experiment import Experiment
from demix.experiment.options import add_config_options, base_config, experiment_of
from demix.experiment.run import Run
from demix.figures.plan import figure_runs
from demix.support.cli import parser, run
from demix.support.errors import ConfigError, DemixError
from demix.workflow import paths
from demix.workflow.planned import has_submitted, planned
from demix.workflow.slurm import Job, jobs_of
from demix.workflow.stale import Stale, older_runs, prune, stale_results
from demix.workflow.states import STATES, State, state_of


def main() -> None:
    """Command line."""
    arguments = parser("cells", __doc__)
    arguments.add_argument("runs", nargs="*", metavar="RUN", help="ids of runs; default: all")
    arguments.add_argument("--table", help="only the cells of this table")
    arguments.add_argument("--json", action="store_true", help="one JSON object for each run and seed, one a line")
    arguments.add_argument("--stale", action="store_true", help="list results that no current run has")
    arguments.add_argument(
        "--prune", action="store_true", help="with --stale: delete them, those of unknown runs apart"
    )
    arguments.add_argument("--yes", action="store_true", help="with --prune: do not ask")
    add_config_options(arguments)
    options = arguments.parse_args()
    if options.prune and not options.stale:
        raise ConfigError("--prune goes with --stale")
    call = rerun_call(options)
    experiment = experiment_of(options)
    if options.stale:
        show_stale(stale_results(experiment), options)
        return
    cells = list(cells_of(experiment, chosen_runs(experiment, options), call))
    if options.json:
        for cell in cells:
            print(json.dumps(cell))
    else:
        show(experiment, cells, every_seed=bool(options.runs))


def chosen_runs(experiment: Experiment, options: argparse.Namespace) -> list[Run]:
    """The runs that the command line names.

    Raises:
        ConfigError: there is no such run or table.
    """
    runs = experiment.runs_of(options.table) if options.table else list(experiment.runs.values())
    wanted = {experiment.runs[name].id for name in options.runs}
    return [member for member in runs if member.id in wanted] if wanted else runs


def rerun_call(options: argparse.Namespace) -> list[str]:
    """The snakemake call, without targets, that makes cells anew under the same options.

    An empty DEMIX_CACHE keeps finished runs from being taken out of a cache.
    """
    call = ["snakemake", "--force"]
    if not (Path.cwd() / "Snakefile").exists():
        call += ["--snakefile", str(base_config().resolve().parent / "Snakefile")]
    if options.directory:
        call += ["--directory", str(options.directory)]
    if options.configfile:
        call += ["--configfile", *map(str, options.configfile)]
    chosen = {name: getattr(options, name) for name in ("scale", "seeds", "device")}
    settings = [f"{name}={value}" for name, value in chosen.items() if value is not None]
    return [*call, "--config", *settings] if settings else call


def cells_of(experiment: Experiment, runs: Iterable[Run], call: list[str]) -> Iterable[dict[str, Any]]:
    """Everything there is to say of each run and seed, ready for JSON."""
    queued, older, jobs = planned(), older_runs(experiment), slurm_jobs()
    users = places(experiment)
    for member in runs:
        for seed in member.seeds:
            state: State = state_of(experiment, member, seed, queued, member.id in older, jobs)
            target = str(paths.seed_folder(experiment, member, seed) / "codes.npz")
            yield {
                "run": member.id,
                "key": member.key,
                "seed": seed,
                **vars(state),
                "cells": users.get(member.id, []),
                "target": target,
                "command": command(call, [target]),
            }


def slurm_jobs() -> list[Job]:
    """Our jobs of the working folder in a cluster's queue; none where nothing was submitted, or SLURM is silent."""
    if not has_submitted():
        return []
    try:
        return jobs_of(Path.cwd())
    except DemixError as error:
        print(f"demix: note: {error}", file=sys.stderr)
        return []


def places(experiment: Experiment) -> dict[str, list[dict[str, str]]]:
    """The printed cells of each run: table, row and setting; for a point of a figure the figure's name and the run."""
    found: dict[str, list[dict[str, str]]] = {}
    for name, table in experiment.tables.items():
        for row, settings in table.rows.items():
            for setting, member in settings.items():
                found.setdefault(member, []).append({"table": name, "row_id": row, "setting": setting})
    for name in experiment.figures:
        for point in figure_runs(experiment, name):
            found.setdefault(point.id, []).append({"table": name, "row_id": point.id, "setting": "unsupervised"})
    return found


def command(call: list[str], targets: list[str]) -> str:
    """The shell command that makes targets anew."""
    first, *options = call
    return f"DEMIX_CACHE= {shlex.join([first, *targets, *options])}"


def show(experiment: Experiment, cells: list[dict[str, Any]], every_seed: bool) -> None:
    """Print the cells, one block a run, and a summary at the end."""
    by_run: dict[str, list[dict[str, Any]]] = {}
    for cell in cells:
        by_run.setdefault(cell["run"], []).append(cell)
    for name, seeds in by_run.items():
        tables = ", ".join(dict.fromkeys(cell["table"] for cell in seeds[0]["cells"]))
        print(f"{name}  ({tables or 'in no table or figure'})")
        for line in state_lines(seeds):
            print(f"    {line}")
        if every_seed:
            for cell in seeds:
                print(f"    seed {cell['seed']} anew: {cell['command']}")
        if len(seeds) > 1 or not every_seed:
            print(f"    anew: {_all_seeds(seeds)}")
    counts = Counter(cell["state"] for cell in cells)
    summary = ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])
    print(f"\nScale {experiment.scale_name}, runs × seeds: {summary or 'none'}.")


def state_lines(seeds: list[dict[str, Any]]) -> list[str]:
    """One line for every state that the seeds of a run are in; seeds of which there is more to say get their own."""
    lines: dict[str, list[str]] = {}
    for cell in seeds:
        lines.setdefault(f"{cell['state']}{_details(cell)}", []).append(str(cell["seed"]))
    return [f"{'seed' if len(who) == 1 else 'seeds'} {', '.join(who)}: {line}" for line, who in lines.items()]


def _details(cell: dict[str, Any]) -> str:
    parts = []
    if cell["step"] is not None:
        parts.append(f"step {cell['step']:,} of {cell['steps']:,}")
    if cell["seconds_left"] is not None:
        parts.append(f"{timedelta(seconds=round(cell['seconds_left']))} left")
    if cell["message"]:
        parts.append(cell["message"])
    if cell["log"] and cell["state"] in ("failed", "interrupted"):
        parts.append(f"log: {cell['log']}")
    return f" ({'; '.join(parts)})" if parts else ""


def _all_seeds(seeds: list[dict[str, Any]]) -> str:
    """The command of one seed with the targets of all."""
    first, *others = (cell["target"] for cell in seeds)
    return seeds[0]["command"].replace(shlex.quote(first), shlex.join([first, *others]))


def show_stale(stale: list[Stale], options: argparse.Namespace) -> None:
    """Print stale results, and delete them where the command line says so."""
    for entry in stale:
        print(f"{entry.path}  {entry.size / 1e6:.1f} MB, {entry.reason}")
    deletable = [entry for entry in stale if entry.known and not entry.running]
    if not stale:
        print("no stale results")
    if not options.prune or not deletable:
        return
    question = f"Delete {len(deletable)} of them (runs of unknown name and trainings in progress stay)? [y/N] "
    if options.yes or input(question).strip().lower() in ("y", "yes"):
        for entry in deletable:
            prune(entry)
        print(f"{len(deletable)} deleted")


if __name__ == "__main__":
    run(main)
