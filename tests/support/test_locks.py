"""Locks between processes: one holder, no waiting, and nothing left behind by a process that was killed."""

import errno
import subprocess
import sys

import pytest

from demix.support import locks
from demix.support.errors import DemixError
from demix.support.locks import take_lock

HOLD = (
    "import sys; from demix.support.locks import take_lock\n"
    "lock = take_lock(sys.argv[1]); print(lock is not None, flush=True); input()"
)


def holder(path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    return process, process.stdout.readline() == "True\n"


def test_a_lock_has_one_holder_and_is_free_when_its_process_is_killed(tmp_path):
    path = tmp_path / "some.lock"
    process, held = holder(path)
    assert held
    assert take_lock(path) is None
    process.kill()
    process.communicate()
    assert take_lock(path) is not None


def test_this_process_holds_a_lock_once_until_it_is_released(tmp_path):
    path = tmp_path / "some.lock"
    lock = take_lock(path)
    assert take_lock(path) is None
    lock.release()
    again = take_lock(path)
    assert again is not None
    process, held = holder(path)
    process.communicate("\n")
    assert not held
    again.release()


def test_a_lock_for_all_users_may_be_opened_by_all(tmp_path):
    lock = take_lock(tmp_path / "some.lock", all_users=True)
    assert (tmp_path / "some.lock").stat().st_mode & 0o777 == 0o666
    lock.release()


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSYS, "no locks here"), OSError(errno.ENOLCK, "none"), NotImplementedError("no flock")]
)
def test_a_file_system_without_locks_is_named(tmp_path, monkeypatch, error):
    class Broken(locks.FileLock):
        def _acquire(self):
            raise error

    monkeypatch.setattr(locks, "FileLock", Broken)
    with pytest.raises(DemixError, match=r"some.lock: cannot be locked \(.*on a file system with locks"):
        take_lock(tmp_path / "some.lock")


def test_what_cannot_be_a_lock_file_is_named(tmp_path):
    with pytest.raises(DemixError, match=f"{tmp_path}: cannot be locked"):
        take_lock(tmp_path)
