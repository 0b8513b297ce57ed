"""A training job: a run that was killed, wherever it was, ends with the bits of one that was not."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
import torch

from demix.specs.problems.synthetic import SyntheticProblemSpec
from demix.synthetic_problem import write_problem

STEPS = 400


RUNS = {
    "sphere": {
        "problem": {"space": "sphere", "marginal": "uniform", "conditional": {"kind": "vmf", "concentration": 5}},
        "model": {"output": "sphere", "objective": "dot_infonce"},
    },
    "box": {
        "problem": {"space": "box", "marginal": "uniform", "conditional": {"kind": "laplace", "scale": 0.05}},
        "model": {"output": "box", "objective": {"kind": "lp_infonce", "exponent": 1}},
    },
    "supervised": {
        "problem": {"space": "box", "marginal": "uniform"},
        "model": {"output": "unbounded", "objective": "mean_squared_error"},
    },
    "soap": {
        "problem": {"space": "box", "marginal": "uniform", "conditional": {"kind": "normal", "std": 0.05}},
        "model": {"output": "unbounded", "objective": {"kind": "lp_infonce", "exponent": 2}},
        "training": {"optimizer": {"kind": "soap", "every": 3}},
    },
}


# Trains as the command does, with a checkpoint after every step. DEATH names the call in which the process kills
# itself: the n-th flush to disk (half a checkpoint is written) or the n-th rename of a checkpoint.
DRIVER = """
import json, os, signal, sys
from pathlib import Path
from demix.specs.run import RunSpec
from demix.training import checkpoint, job
checkpoint.SECONDS_BETWEEN = 0.0
call, count = os.environ.get("DEATH", ":0").split(":")
if call:
    original, calls = getattr(os, call), []
    def deadly(*arguments):
        calls.append(arguments)
        if len(calls) == int(count):
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*arguments)
    setattr(os, call, deadly)
spec, folder = sys.argv[1:]
folder = Path(folder)
job.train_job(RunSpec.model_validate(json.loads(spec)), 3, folder / "data/card.json", folder / "out", "r", "k", "cpu")
"""


def spec_of(name):
    spec = json.loads(json.dumps(RUNS[name]))
    spec["problem"] |= {"dim": 2, "evaluation_samples": 64, "generator": {"candidates": 10}}
    spec["model"]["encoder"] = {"hidden": [4, 4]}
    recipe = {"steps": STEPS, "batch_size": 16, "learning_rate": 0.01, "schedule": "cosine"}
    spec["training"] = recipe | spec.get("training", {})
    return spec


def start(name, folder, **environment):
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, json.dumps(spec_of(name)), str(folder)],
        env=os.environ | environment,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(name, folder):
    process = start(name, folder)
    errors = process.communicate()[1]
    assert process.returncode == 0, errors
    return results(folder)


def results(folder):
    out = folder / "out"
    assert not (out / "checkpoint").exists()
    weights = torch.load(out / "encoder.pt", weights_only=True)["encoder"]
    history = pd.read_parquet(out / "history.parquet").drop(columns="wall_time_s")
    return weights, dict(np.load(out / "codes.npz")), history


def assert_same_bits(one, other):
    assert all(torch.equal(one[0][name], other[0][name]) for name in one[0])
    assert all(np.array_equal(one[1][name], other[1][name]) for name in one[1])
    pd.testing.assert_frame_equal(one[2], other[2], check_exact=True)


def with_data(name, folder):
    write_problem(SyntheticProblemSpec.model_validate(spec_of(name)["problem"]).data_spec, 3, folder / "data")
    return folder


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Folder with data, and results of a run that nothing disturbed, by name."""
    made = {}
    for name in RUNS:
        folder = with_data(name, tmp_path_factory.mktemp(name))
        made[name] = finish(name, folder)
    return made


def wait_for_checkpoint(folder, process):
    while not (folder / "out/checkpoint/previous.pt").exists():
        assert process.poll() is None, "it ended before its first checkpoints"
        time.sleep(0.002)


@pytest.mark.parametrize("name", RUNS)
def test_killed_at_random_steps_it_ends_with_the_same_bits(name, tmp_path, undisturbed):
    with_data(name, tmp_path)
    chance = random.Random(name)
    for _ in range(2):
        process = start(name, tmp_path)
        wait_for_checkpoint(tmp_path, process)
        time.sleep(chance.uniform(0, 0.2))
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL, "it was through before the kill"
    assert_same_bits(finish(name, tmp_path), undisturbed[name])
    assert json.loads((tmp_path / "out/provenance.json").read_text())["resumed_at"] > 0


@pytest.mark.parametrize("death", ["fsync:12", "replace:14", "replace:15", "replace:16"])
def test_killed_inside_a_checkpoint_it_ends_with_the_same_bits(death, tmp_path, undisturbed):
    with_data("box", tmp_path)
    process = start("box", tmp_path, DEATH=death)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert_same_bits(finish("box", tmp_path), undisturbed["box"])
    assert json.loads((tmp_path / "out/provenance.json").read_text())["resumed_at"] > 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1, signal.SIGINT])
def test_a_signal_saves_and_the_next_process_goes_on(number, tmp_path, undisturbed):
    with_data("sphere", tmp_path)
    process = start("sphere", tmp_path)
    wait_for_checkpoint(tmp_path, process)
    process.send_signal(number)
    errors = process.communicate()[1]
    assert process.returncode == 128 + number
    assert "the same command goes on from there" in errors
    assert_same_bits(finish("sphere", tmp_path), undisturbed["sphere"])
