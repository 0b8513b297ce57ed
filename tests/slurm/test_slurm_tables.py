"""The headline command on a real SLURM from a fresh clone: one job a run and seed, one holder a GPU, then the cache."""

import os
import re
import subprocess
import sys
import time

import pandas as pd
import pytest
from lab import squeue
from project import copy_project

COMMAND = [sys.executable, "-m", "snakemake", "--profile", "slurm", "icml_table1", "--config", "scale=smoke", "seeds=1"]
LOOK = "State:12,tres-per-job:12,NodeList:5"
RUNS = 17
GPUS = 2


@pytest.fixture(scope="module")
def shared_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


def play(command, clone, cache):
    """Run a command in a clone; what it said, and who held GPUs and how many waited, look by look."""
    environment = os.environ | {"PYTHONPATH": str(clone / "src"), "OMP_NUM_THREADS": "1", "DEMIX_CACHE": str(cache)}
    looks = []
    with open(clone / "said.log", "w+") as log:
        process = subprocess.Popen(command, cwd=clone, env=environment, stdout=log, stderr=log)
        while process.poll() is None:
            looks.append(squeue("--name", f"demix_{run_id(clone)}", "-O", LOOK).splitlines())
            time.sleep(0.5)
    said = (clone / "said.log").read_text()
    assert process.returncode == 0, said[-5000:]
    return said, looks


def run_id(clone):
    found = re.search(r"SLURM run ID: demix_(\S+)", (clone / "said.log").read_text())
    return found[1] if found else "none yet"


@pytest.fixture(scope="module")
def first(cluster, tmp_path_factory, shared_cache):
    clone = copy_project(tmp_path_factory.mktemp("first"))
    command = [*COMMAND, "--slurm-init-seconds-before-status-checks", "3", "--latency-wait", "10"]
    return clone, *play(command, clone, shared_cache)


def test_every_run_and_seed_is_one_job_and_light_steps_are_none(first):
    _, said, _ = first
    submitted = re.findall(r"submitted with SLURM jobid \d+ \(log: \S+/rule_(\w+)/(\S+)/\d+\.log", said)
    assert len(submitted) == len(set(submitted)) == RUNS
    assert {rule for rule, _ in submitted} == {"train"}


def test_a_gpu_has_one_holder_at_a_time(first):
    _, _, looks = first
    assert all("gres:gpu:1" in line for look in looks for line in look)
    holders = [[line.split()[-1] for line in look if line.startswith("RUNNING")] for look in looks]
    assert max(map(len, holders)) == GPUS  # there are CPUs and memory for more, and a GPU in each node
    assert all(len(nodes) == len(set(nodes)) for nodes in holders)


def test_the_table_is_there(first):
    clone, _, _ = first
    table = pd.read_parquet(clone / "results/smoke/tables/icml_table1.parquet")
    assert table["mean"].notna().all()


def test_a_second_clone_submits_nothing_and_ends_with_the_same_table(first, tmp_path, shared_cache):
    clone = copy_project(tmp_path)
    said, looks = play(COMMAND, clone, shared_cache)
    assert "submitted with SLURM" not in said
    assert not any(looks)
    tables = [
        pd.read_parquet(folder / "results/smoke/tables/icml_table1.parquet")[["row_id", "setting", "mean"]]
        for folder in (first[0], clone)
    ]
    pd.testing.assert_frame_equal(*tables, check_exact=True)
