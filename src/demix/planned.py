"""What the workflow in progress has planned, for those who ask from outside. Never imports torch."""

import json
from collections.abc import Iterable
from pathlib import Path

from demix.files import write_json
from demix.processes import is_alive, this_process

FILE = Path(".snakemake/demix.queue.json")


def announce(targets: Iterable[str]) -> None:
    """Note the files that this process is about to make, in the working folder."""
    write_json(FILE, {**this_process(), "targets": sorted(targets)})


def planned() -> frozenset[str]:
    """The files that a living process has announced for the working folder."""
    try:
        record = json.loads(FILE.read_bytes())
        alive = is_alive(record, FILE.stat().st_mtime)
    except (OSError, ValueError):
        return frozenset()
    return frozenset(record["targets"]) if alive else frozenset()
