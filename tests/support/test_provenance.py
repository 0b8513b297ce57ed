"""The record of a result: written and read in one place."""

import json
import time

import pytest
import torch

from demix.support.errors import DataError
from demix.support.provenance import DataOrigin, Provenance, Start


def record(**more):
    return Provenance.of_job("mine", 3, "key", torch.device("cpu"), Start(), outcome="finished", **more)


def test_a_record_comes_back_as_it_was_written(tmp_path):
    written = record(facts={"width": 0.1}, data=DataOrigin(kind="masks", hash="ab"), spec={"problem": {"dim": 2}})
    written.write(tmp_path / "provenance.json")
    assert Provenance.read(tmp_path / "provenance.json") == written


def test_a_job_says_where_when_and_with_what_it_was_made():
    started = Start()
    time.sleep(0.01)
    made = Provenance.of_job("mine", 3, "key", torch.device("cpu"), started)
    assert (made.run, made.seed, made.key, made.started) == ("mine", 3, "key", started.time)
    assert made.wall_time_s >= 0.01
    assert made.started <= made.finished
    assert set(made.versions) == {"python", "demix", "torch", "numpy"}
    assert (made.device.type, made.device.torch_threads) == ("cpu", torch.get_num_threads())
    assert made.device.name
    assert made.commit
    assert made.peak_memory_mb > 1


def test_a_job_that_trains_nothing_is_finished_without_a_step_on_the_cpu():
    made = Provenance.without_training("mine", 3, "key", Start(), sets={"marginal": "ab"})
    assert (made.run, made.seed, made.key, made.sets) == ("mine", 3, "key", {"marginal": "ab"})
    assert (made.outcome, made.bit_exact, made.steps, made.steps_per_second) == ("finished", True, 0, 0)
    assert made.device.type == "cpu"


def test_what_an_earlier_version_did_not_write_is_open_and_what_else_it_wrote_is_not_read(tmp_path):
    path = tmp_path / "provenance.json"
    path.write_text(json.dumps({"seed": 0, "device": {"type": "cpu", "name": "a"}, "gone": 1}))
    old = Provenance.read(path)
    assert (old.outcome, old.bit_exact, old.data, old.facts, old.sets) == (None, None, None, {}, {})


@pytest.mark.parametrize("text", ["{", "{}", '{"seed": 0}', '{"seed": "x", "device": {"type": "a", "name": "b"}}'])
def test_a_damaged_record_is_named_in_one_line(tmp_path, text):
    path = tmp_path / "provenance.json"
    path.write_text(text)
    with pytest.raises(DataError, match=r"provenance\.json: .*delete it to have it made again") as error:
        Provenance.read(path)
    assert "\n" not in str(error.value)
