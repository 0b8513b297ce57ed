"""The benchmark command, at tiny sizes: what it prints and writes. No time is asserted."""

import json
import os
import sys
import time
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import kstest, vonmises_fisher

from demix.bench import __main__ as command
from demix.bench import feeding, loading, measure, naive, step
from demix.bench.samplers import generalized_normal, samplers, von_mises_fisher
from demix.objectives import compiled
from demix.objectives.dot_infonce import dot_infonce
from demix.objectives.lp_infonce import lp_infonce
from demix.support.errors import ConfigError, DemixError

CPU = torch.device("cpu")
LOSS_KEYS = ["what", "p", "batch", "ours_ms", "naive_ms", "cdist_ms", "time_ratio", "ours_mb", "naive_mb"]


@pytest.fixture
def bench(monkeypatch, tmp_path, capsys):
    """Runs the command with arguments; standard output, and the rows of its parquet file."""

    def call(what, *arguments):
        monkeypatch.setattr(compiled, "compiler_of", lambda device: None)  # compiling takes longer than all the rest
        monkeypatch.setenv("OMP_NUM_THREADS", "1")
        monkeypatch.setattr(
            sys, "argv", ["bench", what, "--quick", "--threads", "1", "--out", str(tmp_path), *arguments]
        )
        command.main()
        assert (tmp_path / f"{what}.png").read_bytes().startswith(b"\x89PNG")
        return capsys.readouterr().out, pd.read_parquet(tmp_path / f"{what}.parquet")

    compiled._compiled.cache_clear()
    yield call
    compiled._compiled.cache_clear()  # other tests have a compiler


def test_loss_prints_an_object_a_line(bench):
    printed, table = bench("loss", "--json", "--p", "dot", "1")
    rows = [json.loads(line) for line in printed.splitlines()]
    assert [(row["what"], row["p"], row["batch"]) for row in rows] == [("loss", "dot", 64), ("loss", "1", 64)]
    assert all(set(LOSS_KEYS) <= row.keys() for row in rows)
    assert all(row["ours_ms"] > 0 and row["time_ratio"] == row["naive_ms"] / row["ours_ms"] for row in rows)
    assert [row["cdist_ms"] is None for row in rows] == [True, False]
    assert len(table) == 2


def test_step_and_samplers_print_a_table(bench):
    printed, table = bench("step", "--p", "2", "--batch", "16")
    lines = printed.splitlines()
    assert lines[0].startswith("| p | batch | backend | ours_ms")
    assert lines[2].startswith("| 2 | 16 | eager | ")
    assert len(lines) == 3
    printed, table = bench("samplers")
    assert list(table["density"]) == list(samplers())
    assert (table["ours_per_second"] > 0).all()


def test_loading_compares_pairs_and_steps_with_a_data_loader(bench):
    _, table = bench("loading")
    assert list(table["part"]) == ["batch", "step"]
    assert (table["ours_per_second"] * table["ours_ms"]).round(6).eq(1e3).all()
    assert (table["loader_ms"] > 0).all()


def test_steps_on_a_cpu_have_few_pairs_whatever_is_asked_for(monkeypatch):
    monkeypatch.setattr(feeding, "CPU_STEP_PAIRS", 3)
    rows = list(feeding.rows([4, 8], CPU, 1, 1, quick=True))
    assert [(row["part"], row["batch"]) for row in rows if row["part"].startswith("step")] == [("step, 16 px", 3)]


def test_feeding_compares_an_array_with_decoded_files_and_times_steps(bench):
    _, table = bench("feeding")
    assert list(table["part"]) == ["bytes, 16 px", "batch, 16 px", "step, 16 px"]
    assert (table["ours_pictures_per_second"] * table["ours_ms"]).round(6).eq(2e3 * 8).all()
    assert table["loader_ms"].notna().tolist() == [True, False, False]


def test_decoded_files_are_the_pictures_of_the_array(tmp_path):
    problem = feeding.pictures_at(tmp_path / "array", 16, 20, CPU)
    first, second = feeding.Decoded(problem, tmp_path / "files", 20, 4).batch()
    array = problem.pictures.pictures["train"]
    assert np.array_equal(first, array[[0, 2, 4, 6]])
    assert np.array_equal(second, array[[1, 3, 5, 7]])
    assert [part.shape for part in feeding.read(problem, 4)] == [(4, 16, 16, 3)] * 2


def test_both_ways_of_loading_give_pairs_of_one_sequence():
    sequences = loading.synthetic_masks(3)
    for problem in (loading.problem_of(sequences, CPU), loading.Loaded(sequences, 8, CPU)):
        drawn = problem.batch(8)
        for pictures in (drawn.anchor, drawn.positive):
            assert pictures.shape == (8, 1, 64, 64)
            assert pictures.dtype == torch.float32
        frames = torch.from_numpy(sequences.frames).float().flatten(1)
        first, second = (torch.cdist(part.flatten(1), frames, p=1).argmin(1) for part in (drawn.anchor, drawn.positive))
        assert ((second - first >= 1) & (second - first <= loading.SEPARATION)).all()
        assert (first // loading.FRAMES == second // loading.FRAMES).all()


def test_score_says_when_a_score_was_reached_and_when_not(bench):
    _, table = bench("score", "--run", "box-uni-lap005_box-lap", "--reach", "0.01", "1.0")
    found = {(row.metric, row.reach): row.seconds for row in table.itertuples()}
    assert found["r2", 0.01] > 0
    assert np.isnan(found["r2", 1.0])
    assert (table["total_seconds"] >= table["seconds"].max()).all()


def test_a_run_that_is_not_there_is_named(bench):
    with pytest.raises(ConfigError, match=r"--run: .*box-uni-lap005_box-lap"):
        bench("score", "--run", "box-uni-lap005_box-lab")


# What the numbers are held against computes the same


WAYS = [
    (p, similarities)
    for p, similarities in product(
        ["dot", "1", "2", "3"], [naive.by_broadcast, naive.by_matrix_product, naive.by_cdist]
    )
    if (p, similarities) != ("dot", naive.by_cdist)
]


@pytest.mark.parametrize(("p", "similarities"), WAYS, ids=lambda value: getattr(value, "__name__", value))
def test_the_naive_losses_are_ours(p, similarities):
    generator = torch.Generator().manual_seed(0)
    anchor, positive = (torch.randn(20, 4, dtype=torch.float64, generator=generator) for _ in range(2))
    expected = dot_infonce(anchor, positive) if p == "dot" else lp_infonce(anchor, positive, exponent=int(p))
    torch.testing.assert_close(naive.naive_infonce(p, anchor, positive, similarities), expected)


def test_the_numpy_samplers_draw_from_their_densities():
    generator = np.random.default_rng(0)
    center = np.eye(1, 10).repeat(20_000, 0)
    cosine = von_mises_fisher(center, 10, generator)[:, 0]
    reference = vonmises_fisher(center[0], 10).rvs(20_000, random_state=generator)[:, 0]
    assert kstest(cosine, reference).pvalue > 1e-3
    draws = generalized_normal(np.zeros((20_000, 1)), 3, 0.05, generator)
    assert draws.std() == pytest.approx(0.0305, rel=0.02)


# The measuring itself


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


def test_calls_are_timed_in_turns_after_one_that_does_not_count():
    order = []
    calls = {"a": lambda: order.append("a"), "b": lambda: order.append("b")}
    times = measure.medians(calls, CPU, repeats=3)
    assert order == ["a", "a", "b", "b"] * 3
    assert set(times) == {"a", "b"}


def test_sides_settle_before_their_calls_count(monkeypatch):
    """The first 0.3 seconds are slow, as they are after a side that has left the memory in a mess."""
    now = 0.0

    def call():
        nonlocal now
        now += 0.05 if now < 0.3 else 0.01

    monkeypatch.setattr(measure.time, "perf_counter", lambda: now)
    assert measure.medians({"a": call}, CPU, repeats=1, settle=0.0) == {"a": pytest.approx(50)}
    now = 0.0
    assert measure.medians({"a": call}, CPU, repeats=1, settle=0.6) == {"a": pytest.approx(10)}
    assert now == pytest.approx(0.8, abs=0.05)  # counted for 0.2


def sleeping(seconds):
    return lambda: time.sleep(seconds)


def test_sides_apart_are_timed_in_processes_of_their_own():
    makers = {"short": partial(sleeping, 0.01), "long": partial(sleeping, 0.05)}
    times = measure.medians_apart(makers, CPU, repeats=2, settle=0)
    assert times["short"] >= 10
    assert times["long"] >= 50
    with pytest.raises(DemixError, match="the process of dead ended early: the system may be out of memory"):
        measure.medians_apart({"dead": make_die}, CPU, repeats=1, settle=0)


def step_of_the_papers_size(p):
    one = step.trainee(p, 6144, "eager", CPU)
    return lambda: one.step(0)


@pytest.mark.skipif(not measure.CLEAR_REFS.exists(), reason="the system keeps no resettable count of memory")
def test_a_step_with_the_papers_batch_fits_a_small_machine():
    (peak,) = measure.peaks(step_of_the_papers_size, [("1",)], nothing, CPU, threads=1)
    assert peak < 700
