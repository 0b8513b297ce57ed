"""GPUs of one machine: one holder each, and one clear line where there is none. None is needed here."""

import subprocess
import sys

import pytest
import torch

from demix.support.errors import DemixError
from demix.training import device
from demix.workflow import gpus

HOLD = (
    "import sys; from pathlib import Path; from demix.workflow.gpus import hold_one\n"
    "print(hold_one(['a', 'b'], Path(sys.argv[1])), flush=True); input()"
)


def holder(folder):
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_every_process_gets_its_own_and_the_next_waits_for_one_that_is_given_back(tmp_path):
    first, second = holder(tmp_path), holder(tmp_path)
    assert {first.stdout.readline(), second.stdout.readline()} == {"0\n", "1\n"}
    third = holder(tmp_path)
    assert third.stderr.readline() == "waiting for one of 2 GPUs\n"
    first.kill()  # however it ends
    assert third.stdout.readline() in ("0\n", "1\n")
    for process in (second, third):
        process.communicate("\n")
    first.communicate()


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


def test_hidden_gpus_are_none(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(DemixError, match="scale paper trains on a GPU and there is none on this machine"):
        gpus.refuse_without_gpu("paper")
