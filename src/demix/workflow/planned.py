"""What the workflow in progress has planned, for commands that run beside it, such as `demix.cells`. Never
imports torch."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from demix.support.files import write_json
from demix.support.processes import is_alive, this_process

FILE = Path(".snakemake/demix.queue.json")


def announce(targets: Iterable[str], *, submits: bool = False) -> None:
    """Note the files that this process is about to make, in the working folder.

    Args:
        submits: it has them made by jobs on a cluster.
    """
    write_json(FILE, {**this_process(), "submits": submits, "targets": sorted(targets)})


def planned() -> frozenset[str]:
    """The files that a living process has announced for the working folder."""
    record = _read()
    alive = bool(record) and is_alive(record, FILE.stat().st_mtime)
    return frozenset(record["targets"]) if alive else frozenset()


def has_submitted() -> bool:
    """The last process that announced something, alive or not, had it made by jobs on a cluster."""
    return bool(_read().get("submits"))


def _read() -> dict[str, Any]:
    """What was announced last; empty if nothing was."""
    try:
        return json.loads(FILE.read_bytes())
    except (OSError, ValueError):
        return {}
