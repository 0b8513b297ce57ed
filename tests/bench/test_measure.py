"""Times and peaks of memory of calls."""

import os
import time
from functools import partial

import pytest
import torch

from demix.bench import measure
from demix.support.errors import DemixError

CPU = torch.device("cpu")


def allocate(mb):
    return lambda: torch.ones(mb << 18).sum()


def nothing():
    pass


@pytest.mark.skipif(not measure.CLEAR_REFS.exists(), reason="the system keeps no resettable count of memory")
def test_peaks_count_what_a_call_takes_and_not_what_was_there():
    small, large, again = measure.peaks(allocate, [(16,), (256,), (16,)], nothing, CPU, threads=1)
    assert small == pytest.approx(16, abs=4)
    assert large == pytest.approx(256, abs=4)
    assert again == pytest.approx(16, abs=4)


def test_a_system_without_such_a_count_gives_none(monkeypatch, tmp_path):
    monkeypatch.setattr(measure, "CLEAR_REFS", tmp_path / "no" / "such")
    assert measure._peak_on_cpu(allocate, (1,), nothing, 1) is None


def die():
    os._exit(9)


def test_a_process_that_does_not_survive_is_no_number():
    assert measure.peaks(make_die, [(), ()], nothing, CPU, threads=1) == [None, None]


def make_die():
    return die


def test_calls_are_timed_in_rounds_after_one_that_does_not_count():
    order = []
    calls = {"a": lambda: order.append("a"), "b": lambda: order.append("b")}
    times = measure.medians(calls, CPU, repeats=3)
    assert order == ["a", "a", "b", "b"] * 3
    assert set(times) == {"a", "b"}


def test_contenders_warm_up_before_their_calls_count(monkeypatch):
    """The first 0.3 seconds are slow, as they are after a contender that has left the memory in a mess."""
    now = 0.0

    def call():
        nonlocal now
        now += 0.05 if now < 0.3 else 0.01

    monkeypatch.setattr(measure.time, "perf_counter", lambda: now)
    assert measure.medians({"a": call}, CPU, repeats=1, warm_up=0.0) == {"a": pytest.approx(50)}
    now = 0.0
    assert measure.medians({"a": call}, CPU, repeats=1, warm_up=0.6) == {"a": pytest.approx(10)}
    assert now == pytest.approx(0.8, abs=0.05)  # counted for 0.2


def sleeping(seconds):
    return lambda: time.sleep(seconds)


def test_contenders_apart_are_timed_in_processes_of_their_own():
    makers = {"short": partial(sleeping, 0.01), "long": partial(sleeping, 0.05)}
    times = measure.medians_apart(makers, CPU, repeats=2, warm_up=0)
    assert times["short"] >= 10
    assert times["long"] >= 50
    with pytest.raises(DemixError, match="the process of dead ended early: the system may be out of memory"):
        measure.medians_apart({"dead": make_die}, CPU, repeats=1, warm_up=0)
