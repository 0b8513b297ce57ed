"""The benchmark of pairs of masks."""

import numpy as np
import torch

from demix.bench import loading
from demix.datasets.common.images import open_images

CPU = torch.device("cpu")


def test_loading_compares_pairs_and_steps_with_a_data_loader(bench):
    _, table = bench("loading")
    assert list(table["part"]) == ["batch", "step"]
    assert (table["ours_per_second"] * table["ours_ms"]).round(6).eq(1e3).all()
    assert (table["loader_ms"] > 0).all()


def test_both_ways_of_loading_give_pairs_of_one_sequence(tmp_path):
    folder = loading.masks_in(tmp_path, 3)
    data = open_images(folder)
    for problem in (loading.problem_of(folder, CPU), loading.Loaded(data, 8, CPU)):
        drawn = problem.batch(8)
        for masks in (drawn.anchor, drawn.positive):
            assert masks.shape == (8, 1, 64, 64)
            assert masks.dtype == torch.float32
        frames = torch.from_numpy(np.array(data.images["train"])).float().flatten(1)
        first, second = (torch.cdist(part.flatten(1), frames, p=1).argmin(1) for part in (drawn.anchor, drawn.positive))
        assert ((second - first >= 1) & (second - first <= loading.SEPARATION)).all()
        assert (first // loading.FRAMES == second // loading.FRAMES).all()
