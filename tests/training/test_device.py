"""Which device a run trains on. No GPU is needed here."""

import pytest
import torch

from demix.support.errors import DemixError
from demix.training import device
from demix.workflow import gpus


class Properties:
    def __init__(self, index):
        self.uuid = f"GPU-{index}"


@pytest.fixture
def three_gpus(monkeypatch, tmp_path):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 3)
    monkeypatch.setattr(torch.cuda, "get_device_properties", Properties)
    monkeypatch.setattr(gpus.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)


@pytest.mark.parametrize("name", ["auto", "cuda"])
def test_local_jobs_spread_over_the_gpus(three_gpus, name):
    assert [str(device.choose_device(name)) for _ in range(3)] == ["cuda:0", "cuda:1", "cuda:2"]
    assert str(device.choose_device("cpu")) == "cpu"


def test_in_a_job_the_gpu_is_the_one_that_the_job_was_given(three_gpus, monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    assert [str(device.choose_device("cuda")) for _ in range(2)] == ["cuda:0", "cuda:0"]


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
def test_cuda_without_a_gpu_is_refused_and_auto_takes_the_cpu():
    with pytest.raises(DemixError, match="add --config device=cpu"):
        device.choose_device("cuda")
    assert str(device.choose_device("auto")) == "cpu"
