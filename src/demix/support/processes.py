"""Which process works on something, and whether it still does, as far as can be told from here."""

import os
import socket
import time
from typing import Any

import psutil

PATIENCE_SECONDS = 180.0
"""How long a process on another host may be silent before it counts as gone: three checkpoints."""

CLOCK_SECONDS = 2.0
"""By how much two accounts of when a process began may differ: the system's clock can be set meanwhile."""

MIB = 1 << 20


def this_process() -> dict[str, Any]:
    """Host, process id and start of this process, and the id of its SLURM job if it has one."""
    return {
        "host": socket.gethostname(),
        "process": os.getpid(),
        "process_start": psutil.Process().create_time(),
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
    number, start = record.get("process"), record.get("process_start")
    if not isinstance(number, int) or not isinstance(start, int | float):
        return False
    try:
        process = psutil.Process(number)
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return abs(process.create_time() - start) < CLOCK_SECONDS  # else another one has got the number since
    except psutil.AccessDenied:  # it is there, and the system does not tell whose it is
        return True
    except (psutil.NoSuchProcess, ValueError):  # ValueError: no process has such a number
        return False


def available_memory_mb() -> float:
    """MiB that processes can still take."""
    return psutil.virtual_memory().available / MIB
