"""The SLURM that these tests bring up themselves. Only where DEMIX_TEST_SLURM=1 says so: it installs packages."""

import os

import pytest
from lab import Lab
from onehost import OneHost
from project import copy_project


def pytest_collection_modifyitems(items):
    if os.environ.get("DEMIX_TEST_SLURM") == "1":
        return
    for item in items:
        if "tests/slurm" in str(item.path):
            item.add_marker(pytest.mark.skip(reason="DEMIX_TEST_SLURM=1 brings up a SLURM on this host for it"))


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """Two steady nodes and two fragile ones, with accounting."""
    host = OneHost(tmp_path_factory.mktemp("slurm"), fragile=2, accounting=True, owner=os.getpid())
    host.start()
    yield host
    host.stop()


@pytest.fixture(scope="session")
def clone(tmp_path_factory):
    """A fresh clone."""
    return copy_project(tmp_path_factory.mktemp("clone"))


@pytest.fixture(scope="session")
def undisturbed(cluster, clone, tmp_path_factory):
    """What a run ends with that nothing disturbs."""
    lab = Lab(clone, tmp_path_factory.mktemp("undisturbed"))
    lab.finish()
    assert len(lab.submitted()) == 1
    assert not (lab.seed_folder / "checkpoint").exists()
    return lab
