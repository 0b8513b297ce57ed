"""The benchmark of images of 3DIdent."""

import numpy as np
import torch

from demix.bench import feeding

CPU = torch.device("cpu")


def test_steps_on_a_cpu_have_few_pairs_whatever_the_batch(monkeypatch):
    monkeypatch.setattr(feeding, "CPU_STEP_PAIRS", 3)
    rows = list(feeding.rows([4, 8], CPU, 1, 1, quick=True))
    assert [(row["part"], row["batch"]) for row in rows if row["part"].startswith("step")] == [("step, 16 px", 3)]


def test_feeding_compares_an_array_with_decoded_files_and_times_steps(bench):
    _, table = bench("feeding")
    assert list(table["part"]) == ["bytes, 16 px", "batch, 16 px", "step, 16 px"]
    assert (table["ours_images_per_second"] * table["ours_ms"]).round(6).eq(2e3 * 8).all()
    assert table["loader_ms"].notna().tolist() == [True, False, False]


def test_decoded_files_are_the_images_of_the_array(tmp_path):
    problem = feeding.images_at(tmp_path / "array", 16, 20, CPU)
    first, second = feeding.Decoded(problem, tmp_path / "files", 20, 4).batch()
    array = problem.data.images["train"]
    assert np.array_equal(first, array[[0, 2, 4, 6]])
    assert np.array_equal(second, array[[1, 3, 5, 7]])
    assert [part.shape for part in feeding.read(problem, 4)] == [(4, 16, 16, 3)] * 2
