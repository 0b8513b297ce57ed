"""One head process in a working folder: the `snakemake` that plans and submits.

Snakemake's own lock compares files, so that two processes with other targets may share a folder, and it stays behind
when its process is killed. Here a head process holds a lock that the system releases when the process ends, however
it ends, and leaves a record of who it is, which is emptied when it ends by itself.
"""

import atexit
import os
import shutil
import socket
import sys
from pathlib import Path

from filelock import BaseFileLock

from demix.support.errors import DemixError
from demix.support.files import replacing
from demix.support.locks import take_lock
from demix.support.provenance import now

LOCK = Path(".snakemake/demix.head.lock")
RECORD = Path(".snakemake/demix.head")
SNAKEMAKE_LOCKS = Path(".snakemake/locks")

_held: list[BaseFileLock] = []  # until the process ends


def claim() -> None:
    """Take the working folder for this process, until it ends.

    Raises:
        DemixError: another head process works here, nobody can tell whether it still does, or the folder's file system
            offers no locks.
    """
    lock = take_lock(LOCK)
    owner = _owner()
    if lock is not None and owner and not _is_here(owner):
        lock.release()
        lock = None
    if lock is None:
        raise DemixError(_refusal(owner))
    _write(f"process {os.getpid()} on {socket.gethostname()} since {now()}")
    _held.append(lock)
    atexit.register(_release, os.getpid(), RECORD.absolute())


def clear_stale_lock() -> None:
    """Remove Snakemake's lock if the head process that left it was killed on this host; else say what is known."""
    owner = _owner()
    if _held or not owner or not SNAKEMAKE_LOCKS.exists() or not any(SNAKEMAKE_LOCKS.iterdir()):
        return
    lock = take_lock(LOCK) if _is_here(owner) else None
    if lock is None:
        print(f"demix: note: {_refusal(owner)}", file=sys.stderr)
        return
    shutil.rmtree(SNAKEMAKE_LOCKS)
    _write("")
    lock.release()
    print(f"demix: the lock of a head process that was killed is removed ({owner})", file=sys.stderr)


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


def _owner() -> str:
    """What the record says; empty if the last head process ended by itself."""
    try:
        return RECORD.read_text(errors="replace").strip()
    except FileNotFoundError:
        return ""


def _write(text: str, record: Path = RECORD) -> None:
    with replacing(record) as temporary:
        temporary.write_text(text)


def _release(process: int, record: Path) -> None:
    if os.getpid() == process and record.parent.exists():  # not in a fork of it
        _write("", record)
