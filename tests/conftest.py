"""One thread, so that bits do not depend on the machine, and a guard for global random state."""

import random

import numpy as np
import pytest
import torch

torch.set_num_threads(1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With several workers a file's tests stay together, which share what they set up; so do those of tests/slurm,
    since there is one SLURM on a host. They come first: they take longest, and mostly wait."""
    from xdist.scheduler import LoadScopeScheduling

    class FilesTogether(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            return "slurm" if file.startswith("tests/slurm/") else file

    config.option.loadscopereorder = False  # in the order of the files, not those with many tests first
    return FilesTogether(config, log)


@pytest.fixture
def untouched_global_randomness():
    """Fails the test if it has moved a global random generator."""
    before = random.getstate(), np.random.get_state()[1].copy(), np.random.get_state()[2], torch.get_rng_state()
    yield
    after = random.getstate(), np.random.get_state()[1], np.random.get_state()[2], torch.get_rng_state()
    assert before[0] == after[0]
    assert np.array_equal(before[1], after[1])
    assert before[2] == after[2]
    assert torch.equal(before[3], after[3])


@pytest.fixture
def no_proxy(monkeypatch):
    """Downloads come from where they say, whatever proxy the environment names."""
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
