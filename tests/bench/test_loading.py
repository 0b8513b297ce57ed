"""The benchmark of pairs of masks."""

import torch

from demix.bench import loading

CPU = torch.device("cpu")


def test_loading_compares_pairs_and_steps_with_a_data_loader(bench):
    _, table = bench("loading")
    assert list(table["part"]) == ["batch", "step"]
    assert (table["ours_per_second"] * table["ours_ms"]).round(6).eq(1e3).all()
    assert (table["loader_ms"] > 0).all()


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
