"""Locks between processes: held until they are released or the process ends, however it ends."""

from pathlib import Path
from typing import Any

from filelock import BaseFileLock, FileLock, Timeout

from demix.support.errors import DemixError


def take_lock(path: Path, *, all_users: bool = False) -> BaseFileLock | None:
    """Hold a lock file, without waiting for it. The file stays when the lock is released.

    Args:
        path: of the lock file, which is made with its folder.
        all_users: every user of the machine may take the lock, whoever made the file.

    Returns:
        The held lock, which is released when nothing refers to it any more; None if it is held elsewhere, by another
        process or by this one.

    Raises:
        DemixError: the file system offers no locks, or the file cannot be opened.
    """
    mode: dict[str, Any] = {"mode": 0o666} if all_users else {}  # else as the user's other files
    # a lock that only watches for a file would stay behind when its process is killed
    lock = FileLock(path, thread_local=False, fallback_to_soft=False, **mode)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return None
    except (OSError, NotImplementedError) as error:
        needed = "it must be writable and on a file system with locks"
        raise DemixError(f"{path}: cannot be locked ({error}); {needed}") from None
    return lock
