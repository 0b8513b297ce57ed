"""Which process works on something, and whether it still does, as far as can be told from here."""

import os
import socket
import time
from pathlib import Path
from typing import Any

PATIENCE_SECONDS = 180.0
"""How long a process on another host may be silent before it counts as gone: three checkpoints."""


def this_process() -> dict[str, Any]:
    """Host, process id and start of this process, and the id of its SLURM job if it has one."""
    return {
        "host": socket.gethostname(),
        "process": os.getpid(),
        "process_start": _start_of(os.getpid()),
        "slurm_job": os.environ.get("SLURM_JOB_ID"),
    }


def is_alive(record: dict[str, Any], last_word: float) -> bool:
    """Whether the process of a record works still.

    Args:
        record: what `this_process` returned there.
        last_word: when it wrote last, in seconds since 1970: all there is to go by for a process on another host.
    """
    if record.get("host") != socket.gethostname():
        return time.time() - last_word < PATIENCE_SECONDS
    process = record.get("process")
    if not isinstance(process, int):
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is there and belongs to another user
        pass
    return _start_of(process) == record.get("process_start")  # else another one has got the number since


def _start_of(process: int) -> str | None:
    """When a process began, in the system's own count; None where the system does not tell, or it is a dead one."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]  # a zombie is dead; the names end before the bracket
