"""One head process in a folder: the second is refused, a killed one leaves nothing that stands in the way."""

import subprocess
import sys

import pytest

from demix.support.errors import DemixError
from demix.workflow import head

CLAIM = "from demix.workflow import head; head.claim(); print('claimed', flush=True); input()"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".snakemake/locks").mkdir(parents=True)
    return tmp_path


def owner():
    process = subprocess.Popen([sys.executable, "-c", CLAIM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "claimed\n"
    return process


def kill(process):
    process.kill()
    process.communicate()


def locked(folder):
    (folder / ".snakemake/locks/0.input.lock").touch()


def test_a_second_head_is_refused_with_the_process_to_wait_for():
    process = owner()
    with pytest.raises(DemixError, match=rf"another snakemake works in this folder \(process {process.pid} on .*-INT"):
        head.claim()
    process.communicate("\n")
    assert owner_can_claim()


def owner_can_claim():
    process = owner()
    process.communicate("\n")
    return process.returncode == 0


def test_a_killed_head_stands_in_nobodys_way():
    kill(owner())
    assert owner_can_claim()


def test_the_lock_of_a_killed_head_is_removed(folder, capsys):
    kill(owner())
    locked(folder)
    head.clear_stale_lock()
    assert not (folder / ".snakemake/locks").exists()
    assert "that was killed is removed" in capsys.readouterr().err


def test_the_lock_of_a_living_head_stays(folder, capsys):
    process = owner()
    locked(folder)
    head.clear_stale_lock()
    assert (folder / ".snakemake/locks/0.input.lock").exists()
    assert f"note: {folder}: another snakemake works in this folder (process {process.pid}" in capsys.readouterr().err
    process.communicate("\n")


def test_a_lock_of_unknown_origin_stays(folder, capsys):
    owner().communicate("\n")  # ended by itself: the lock is not its
    locked(folder)
    head.clear_stale_lock()
    assert (folder / ".snakemake/locks/0.input.lock").exists()
    assert capsys.readouterr().err == ""


def test_a_head_on_another_host_may_be_alive(folder, capsys):
    kill(owner())
    head.RECORD.write_text("process 12 on elsewhere since yesterday")
    locked(folder)
    head.clear_stale_lock()
    assert (folder / ".snakemake/locks/0.input.lock").exists()
    assert "delete .snakemake/demix.head and call `snakemake --unlock`" in capsys.readouterr().err
    with pytest.raises(DemixError, match="elsewhere"):
        head.claim()
