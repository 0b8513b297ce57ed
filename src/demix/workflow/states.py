"""How far each run is with each seed, read from the files in its folder. Never imports torch."""

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from demix.datasets.common.card import CARD, missing_after
from demix.experiment.experiment import Experiment
from demix.experiment.run import Run
from demix.support.codes import FILE as CODES
from demix.support.processes import is_alive
from demix.support.provenance import FILE as PROVENANCE
from demix.support.provenance import Provenance
from demix.training.status import FILE, started_by
from demix.workflow import paths
from demix.workflow.slurm import Job

STATES = ("running", "queued", "interrupted", "failed", "missing", "stale", "diverged", "done")
"""In the order in which a reader wants to see them."""

RESULTS = (CODES, PROVENANCE)
LOG_TAIL_BYTES = 4096
HARMLESS = re.compile(r"( steps/s  \S+ left|^cache: taken from .*|goes on from there)$")
"""Last lines of a log whose results were there once and were deleted."""


@dataclass(frozen=True)
class State:
    """How far a run is with one seed.

    Args:
        state: one of `STATES`. "stale": there is none with the current key, but one of another key of this run.
        step, steps: steps made and to make, of a running or interrupted one.
        seconds_left: of a running one.
        message: what went wrong, or where it runs.
        log: where to read more.
    """

    state: str
    step: int | None = None
    steps: int | None = None
    seconds_left: float | None = None
    message: str = ""
    log: str | None = None


def state_of(
    experiment: Experiment,
    run: Run,
    seed: int,
    queued: Collection[str] = (),
    older: bool = False,
    jobs: Iterable[Job] = (),
) -> State:
    """The state of a run with a seed.

    Args:
        queued: targets that a workflow in progress has planned.
        older: the run has results with another key.
        jobs: our jobs in the queue of a cluster.
    """
    found = _from_files(experiment, run, seed, queued, older)
    job = next((job for job in jobs if job.trains(experiment.scale_name, paths.run_name(run), seed)), None)
    if job is None or found.state in ("done", "diverged"):
        return found
    state = found.state if found.state == "running" else "running" if job.state == "RUNNING" else "queued"
    return replace(found, state=state, message=f"SLURM job {job.id} {job.state.lower()} {job.where}", log=None)


def _from_files(experiment: Experiment, run: Run, seed: int, queued: Collection[str], older: bool) -> State:
    folder = paths.seed_folder(experiment, run, seed)
    if all((folder / name).exists() for name in RESULTS):
        return _finished(folder)
    log = paths.log_file(experiment, run, seed)
    status = folder / "checkpoint" / FILE
    record = read_record(status)
    unfinished = _unfinished(record, status, log) if record else None
    if unfinished and unfinished.state == "running":
        return unfinished
    if str(folder / CODES) in queued:
        return State("queued", *((unfinished.step, unfinished.steps) if unfinished else ()))
    if unfinished:
        return unfinished
    if line := _complaint(log):  # it did not get as far as to say who it is
        return State("failed", message=line, log=str(log))
    return State("stale" if older else "missing", message=_cause(run, seed))


def _finished(folder: Path) -> State:
    record = Provenance.found(folder / PROVENANCE)
    if record is None:
        return State("failed", message=f"{PROVENANCE} is damaged", log=str(folder / PROVENANCE))
    diverged = record.outcome == "diverged"
    return State("diverged" if diverged else "done", message=f"at step {record.steps or 0:,}" if diverged else "")


def _unfinished(record: dict[str, Any], status: Path, log: Path) -> State:
    """What a status record tells, which may have been written long ago."""
    step, steps, rate = (record.get(name) for name in ("step", "steps", "steps_per_second"))
    if record["state"] == "running" and is_alive(record, status.stat().st_mtime):
        left = (steps - step) / rate if step is not None and steps is not None and rate else None
        return State("running", step, steps, left, started_by(record), str(log))
    if record["state"] == "failed":
        return State("failed", step, steps, message=record["message"], log=str(log))
    return State("interrupted", step, steps, message=record.get("message", "killed"), log=str(log))


def _cause(run: Run, seed: int) -> str:
    """Why a run was not begun, if its data could not be made or had."""
    log, card = paths.data_log_file(run, seed), paths.data_folder(run, seed) / CARD
    missing = missing_after(card)
    line = missing["reason"] if missing else "" if card.exists() else _complaint(log)
    return f"no data: {line} ({log})" if line else ""


def _complaint(log: Path) -> str:
    """The last line of a log, unless it is one that a step writes when all is well."""
    try:
        with open(log, "rb") as file:
            file.seek(max(0, log.stat().st_size - LOG_TAIL_BYTES))
            lines = file.read().decode(errors="replace").split("\n")
    except OSError:
        return ""
    line = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return "" if HARMLESS.search(line) else line


def read_record(path: Path) -> dict[str, Any] | None:
    """A small JSON file; None if it is missing or damaged."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
