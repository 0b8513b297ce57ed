"""Faults of a cluster: each on a real SLURM, side by side, and each ends with the bits of an undisturbed run."""

import os
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from lab import RUN, Lab, mounted, same_bits, squeue, state, wait_for
from project import copy_project

from demix.workflow.slurm import jobs_of

FAULTS = {}
AT_A_TIME = 14


def fault(function):
    """A scenario: gets its lab and whatever else it takes, disturbs a run and brings it to an end."""
    FAULTS[function.__name__] = function
    return function


@fault
def time_limit(lab):
    head = lab.start("--set-resources", "train:runtime=attempt", "train:mem_mb=2000")
    first = lab.job()
    lab.hold()  # a slow node; SLURM wakes it before it asks it to end
    wait_for("the time limit", lambda: state(first) == "TIMEOUT", 200)
    lab.end(head)
    assert lab.provenance()["resumed_at"] > 0


@fault
def out_of_memory(lab):
    # a training and the two snakemakes of its job take some 900 MB: far from the first limit and from the second
    lab.finish("--set-resources", "train:mem_mb=300*attempt**3")
    first, second = lab.submitted()
    assert state(first) in ("FAILED", "OUT_OF_MEMORY")
    assert state(second) == "COMPLETED"
    assert "exceeded memory limit" in next(lab.folder.glob(f"results/logs/slurm/**/{first}.log")).read_text()


@fault
def cancelled(lab):
    head = lab.start()
    subprocess.run(["scancel", lab.job()], check=True)
    lab.end(head)
    assert [state(job) for job in lab.submitted()] == ["CANCELLED", "COMPLETED"]


@fault
def crashed_once(lab):
    head = lab.start()
    lab.job()
    os.kill(lab.trainer(), signal.SIGKILL)
    lab.end(head)
    # an attempt in the profile is one job: nothing is tried again inside an allocation
    assert [state(job) for job in lab.submitted()] == ["FAILED", "COMPLETED"]


@fault
def requeued(lab):
    head = lab.start()
    subprocess.run(["scontrol", "requeue", lab.job()], check=True)
    lab.end(head)
    assert len(lab.submitted()) == 1


@fault
def dying_node(lab, cluster):
    head = lab.start("--set-resources", "train:slurm_partition=fragile")
    job = lab.job()
    node = squeue("-j", job, "-o", "%N").strip()
    cluster.kill(node)
    wait_for("the job to be requeued", lambda: state(job) == "PENDING", 120)
    lab.end(head)
    cluster.revive(node)
    assert lab.submitted() == [job]


@fault
def head_interrupted(lab):
    head = lab.start()
    job = lab.job()
    lab.hold()
    head.send_signal(signal.SIGINT)
    lab.end(head, code=1)
    wait_for("the job to leave the queue", lambda: not jobs_of(lab.folder))
    assert state(job) == "CANCELLED"
    lab.finish(log="again.log")
    assert lab.provenance()["resumed_at"] > 0


@fault
def head_killed(lab):
    head = lab.start()
    job = lab.job()
    lab.hold()
    mine = ["sbatch", "--parsable", "--mem=10", "--output=/dev/null", "--wrap=sleep 500", f"--chdir={lab.folder}"]
    of_the_user = subprocess.run(mine, capture_output=True, text=True, check=True).stdout.strip()
    elsewhere = [*mine, f"--job-name=demix_{'0' * 36}", f"--chdir={lab.folder.parent}"]
    of_another_folder = subprocess.run(elsewhere, capture_output=True, text=True, check=True).stdout.strip()
    head.kill()
    head.wait()
    said = lab.finish(log="again.log")
    assert "the lock of a head process that was killed is removed" in said
    assert f"cancelling 1 SLURM jobs that a killed head process left in this folder: {job}" in said
    assert state(job) == "CANCELLED"
    assert len(lab.submitted("again.log")) == 1
    assert not {state(of_the_user), state(of_another_folder)} & {"CANCELLED", "FAILED", "COMPLETED"}
    subprocess.run(["scancel", of_the_user, of_another_folder], check=True)
    assert lab.provenance()["resumed_at"] > 0


@fault
def impossible_request(lab):
    head = lab.start("--set-resources", "train:mem_mb=999999999")
    said = lab.end(head, code=1)
    assert "Requested node configuration is not available" in said
    assert list(lab.folder.glob("results/smoke/scores/raw_box-uni-*.parquet"))  # the others went on
    lab.finish(log="again.log")


@fault
def full_cache(lab):
    with mounted(lab.folder / "cache", "-t", "tmpfs", "-o", "size=24k", "tmpfs") as cache:
        lab.finish(DEMIX_CACHE=str(cache))
        log = next(lab.folder.glob("results/smoke/logs/train/*/seed0.log")).read_text()
        assert "not stored (No space left on device); the result itself is complete" in log
        assert not list(cache.glob("train/*/*"))


@fault
def full_disk(lab):
    with mounted(lab.folder / "disk", "-t", "tmpfs", "-o", "size=4m", "tmpfs") as disk:
        small = Lab(lab.clone, disk / "work")
        head = small.start("--retries", "0")
        small.job()
        with pytest.raises(OSError, match="No space left"):
            fill(disk / "filler")
        head.wait(300)
        assert head.returncode == 1
        assert "No space left" in next(disk.glob("work/results/smoke/logs/train/*/seed0.log")).read_text()
        (disk / "filler").unlink()
        small.finish(log="again.log")
        shutil.copytree(disk / "work/results", lab.folder / "results")


def fill(path):
    """Write until there is no space left."""
    with open(path, "wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 12))


@fault
def read_only_clone(lab):
    clone = lab.folder / "clone"
    with mounted(clone, "--bind", str(lab.clone)):
        subprocess.run(["mount", "-o", "remount,ro,bind", str(clone)], check=True)
        Lab(clone, lab.folder).finish(PYTHONDONTWRITEBYTECODE="1")


@fault
def two_heads(lab):
    head = lab.start()
    lab.job()
    training = lab.hold()
    refused = lab.end(lab.start(log="second.log"), "second.log", code=1)
    assert f"another snakemake works in this folder (process {head.pid} on " in refused
    assert f"kill -INT {head.pid}" in refused
    others = lab.end(lab.start("--nolock", "--forcerun", "score", log="third.log"), "third.log", code=1)
    assert "demix: error: " in others
    assert not lab.submitted("third.log")
    os.kill(training, signal.SIGCONT)
    lab.end(head)
    assert len(lab.submitted()) == 1


@fault
def two_clones(lab):
    twin = Lab(copy_project(lab.folder / "twin-clone"), lab.folder / "twin")
    cache = {"DEMIX_CACHE": str(lab.folder / "cache")}
    heads = [(one, one.start(**cache)) for one in (lab, twin)]
    for one, head in heads:
        one.end(head)
    same_bits(lab, twin)
    assert len(list((lab.folder / "cache/train").glob("*/*"))) == 1
    assert not list((lab.folder / "cache/incoming").glob("*"))


@pytest.fixture(scope="module")
def outcomes(request, cluster, clone, undisturbed, tmp_path_factory):
    """Futures of the selected scenarios, a few at a time, by name."""
    selected = [item.callspec.params["name"] for item in request.session.items if item.module is request.module]

    def play(name: str, folder: Path) -> Lab:
        lab = Lab(clone, folder)
        function = FAULTS[name]
        function(*(lab, cluster)[: function.__code__.co_argcount])
        return lab

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        yield {name: pool.submit(play, name, tmp_path_factory.mktemp(name)) for name in selected}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_costs_time_but_no_bit(name, outcomes, undisturbed):
    lab = outcomes[name].result()
    assert not list(lab.folder.glob(f"results/smoke/runs/{RUN}-*/seed0/checkpoint"))
    same_bits(lab, undisturbed)
    assert not jobs_of(lab.folder)
