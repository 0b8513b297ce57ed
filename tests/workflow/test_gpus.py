"""GPUs of one machine: one holder each, and one clear line where there is none. None is needed here."""

import subprocess
import sys

import pytest

from demix.support.errors import DemixError
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


def test_hidden_gpus_are_none(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(DemixError, match="scale paper trains on a GPU and there is none on this machine"):
        gpus.refuse_without_gpu("paper")
