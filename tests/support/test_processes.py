"""Which process works on something: alive, dead, a zombie, another one of the same number, on another host."""

import json
import subprocess
import sys
import time

import psutil
import pytest

from demix.support import processes
from demix.support.processes import PATIENCE_SECONDS, available_memory_mb, is_alive, this_process

RECORD = "import json; from demix.support.processes import this_process; print(json.dumps(this_process()), flush=True)"


@pytest.fixture
def other():
    """A process that waits, and its record as a file would have it."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"{RECORD}; input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    yield process, json.loads(process.stdout.readline())
    process.kill()
    process.communicate()


def test_this_process_is_alive_whenever_it_wrote_last():
    assert is_alive(json.loads(json.dumps(this_process())), 0.0)


def test_a_process_is_alive_until_it_ends_and_a_zombie_is_dead(other):
    process, record = other
    assert is_alive(record, 0.0)
    process.kill()
    while psutil.Process(process.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert not is_alive(record, time.time())
    process.wait()
    assert not is_alive(record, time.time())


def test_another_process_of_the_same_number_is_not_the_one_of_the_record():
    record = this_process()
    assert not is_alive(record | {"process_start": record["process_start"] - 100}, time.time())
    assert not is_alive({"host": record["host"], "process": record["process"]}, time.time())
    assert not is_alive({"host": record["host"]}, time.time())


def test_of_a_process_elsewhere_its_last_word_decides():
    record = this_process() | {"host": "elsewhere"}
    assert is_alive(record, time.time() - PATIENCE_SECONDS + 20)
    assert not is_alive(record, time.time() - PATIENCE_SECONDS - 20)


def test_a_process_that_the_system_hides_counts_as_alive(monkeypatch):
    def hidden(number):
        raise psutil.AccessDenied(number)

    monkeypatch.setattr(processes.psutil, "Process", hidden)
    record = {"host": processes.socket.gethostname(), "process": 1, "process_start": 1.0}
    assert is_alive(record, 0.0)


def test_the_record_names_the_job_of_the_cluster(monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "77")
    assert this_process()["slurm_job"] == "77"


def test_available_memory_is_no_more_than_there_is():
    assert 0 < available_memory_mb() <= psutil.virtual_memory().total / (1 << 20)
