"""One head process in a working folder: the `snakemake` that plans and submits.

Snakemake's own lock compares files, so that two processes with other targets may share a folder, and it stays behind
when its process is killed. Here a head process holds a lock that the system releases when the process ends, however
it ends, and a record of who it is, which is emptied when it ends by itself.
"""

import atexit
import fcntl
import os
import shutil
import socket
import sys
from pathlib import Path

from demix.support.errors import DemixError
from demix.support.provenance import now

RECORD = Path(".snakemake/demix.workflow.head")
SNAKEMAKE_LOCKS = Path(".snakemake/locks")

_held: list[int] = []  # the descriptor that holds the lock: it must stay open, and no other be opened in this process


def claim() -> None:
    """Take the working folder for this process, until it ends.

    Raises:
        DemixError: another head process works here, or nobody can tell whether it still does.
    """
    descriptor = _open()
    owner = _owner(descriptor)
    if not _lock(descriptor) or (owner and not _is_here(owner)):
        os.close(descriptor)
        raise DemixError(_refusal(owner))
    _write(descriptor, f"process {os.getpid()} on {socket.gethostname()} since {now()}")
    _held.append(descriptor)
    atexit.register(_release, os.getpid())


def clear_stale_lock() -> None:
    """Remove Snakemake's lock if the head process that left it was killed on this host; else say what is known."""
    if _held or not RECORD.exists() or not SNAKEMAKE_LOCKS.exists() or not any(SNAKEMAKE_LOCKS.iterdir()):
        return
    descriptor = _open()
    owner = _owner(descriptor)
    if owner and _is_here(owner) and _lock(descriptor):
        shutil.rmtree(SNAKEMAKE_LOCKS)
        _write(descriptor, "")
        print(f"demix: the lock of a head process that was killed is removed ({owner})", file=sys.stderr)
    elif owner:
        print(f"demix: note: {_refusal(owner)}", file=sys.stderr)
    os.close(descriptor)


def _refusal(owner: str) -> str:
    folder = Path.cwd()
    if _is_here(owner):
        return (
            f"{folder}: another snakemake works in this folder ({owner}): wait for it, "
            f"stop it with `kill -INT {owner.split()[1]}`, or take another folder with --directory"
        )
    return (
        f"{folder}: another snakemake works in this folder ({owner or 'unknown'}), or was killed there; if it is gone, "
        f"delete {RECORD} and call `snakemake --unlock`"
    )


def _is_here(owner: str) -> bool:
    return f" on {socket.gethostname()} " in owner


def _open() -> int:
    RECORD.parent.mkdir(exist_ok=True)
    return os.open(RECORD, os.O_RDWR | os.O_CREAT, 0o666)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # held, or the file system has no locks
        return False
    return True


def _owner(descriptor: int) -> str:
    return os.pread(descriptor, 1000, 0).decode(errors="replace").strip()


def _write(descriptor: int, text: str) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, text.encode(), 0)
    os.fsync(descriptor)


def _release(process: int) -> None:
    if os.getpid() == process:  # not in a fork of it
        for descriptor in _held:
            _write(descriptor, "")
