"""What a killed test run left is cleared up; what somebody else uses is left alone."""

import json
import os
import subprocess
import sys

import onehost
import pytest
from onehost import OneHost, OneHostError, started


@pytest.fixture
def etc(tmp_path, monkeypatch):
    """A made /etc/slurm, and no jobs."""
    folder = tmp_path / "etc"
    folder.mkdir()
    monkeypatch.setattr(onehost, "ETC", folder)
    monkeypatch.setattr(onehost, "of_cluster", lambda: [])
    monkeypatch.delenv("SLURM_CONF", raising=False)
    return folder


@pytest.fixture
def daemon():
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def other(etc, daemon, tmp_path):
    """Another one of these, with one daemon. Called with its owner's process id, or 0 for a dead one."""

    def make(owner=None):
        folder = tmp_path / "other"
        folder.mkdir()
        (folder / "slurm.conf").touch()
        (etc / "slurm.conf").symlink_to(folder / "slurm.conf")
        known = {"n1": [daemon.pid, started(daemon.pid)]}
        known |= {} if owner is None else {"owner": [owner, started(owner) if owner else 1]}
        (folder / "processes.json").write_text(json.dumps(known))
        return folder

    return make


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine").mkdir()
    return OneHost(tmp_path / "mine", port=26917, owner=os.getpid(), patience=0.5)


def test_what_a_killed_owner_left_is_stopped(mine, other, etc, daemon):
    other(owner=0)
    mine._take_over()
    assert daemon.wait(timeout=10) != 0
    assert list(etc.iterdir()) == []


def test_a_living_owner_is_waited_for(mine, other, daemon):
    folder = other(owner=os.getpid())
    with pytest.raises(OneHostError, match=f"the end of process {os.getpid()}, which uses {folder} did not come"):
        mine._take_over()
    assert daemon.poll() is None


def test_one_without_an_owner_is_left_alone(mine, other, daemon):
    folder = other()
    with pytest.raises(OneHostError, match=f"stop {folder}"):
        mine._take_over()
    assert daemon.poll() is None


def test_a_slurm_of_the_host_is_left_alone(etc):
    (etc / "slurm.conf").touch()
    with pytest.raises(OneHostError, match="SLURM of its own"):
        onehost.refuse_foreign_slurm()
