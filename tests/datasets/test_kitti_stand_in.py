"""The made stand-in of KITTI Masks: its format and the laws of its steps."""

from pathlib import Path

import numpy as np

from demix.datasets.common.conversion import Inputs
from demix.datasets.common.sequences import Sequences
from demix.datasets.kitti_stand_in import KittiStandIn


def made(**fields):
    """Masks, factors and where sequences begin."""
    split = KittiStandIn(**{"motion": 1.0, "seed": 0} | fields).convert(Inputs(Path())).splits["train"]
    ((frames, known),) = split.chunks
    return frames[..., 0], known["factors"], Sequences(split.lengths)


def test_the_stand_in_is_the_same_every_time_and_has_the_published_format():
    frames, factors, sequences = made(sequences=12, frames=15, seed=3)
    again = made(sequences=12, frames=15, seed=3)
    other = made(sequences=12, frames=15, seed=4)
    assert np.array_equal(frames, again[0])
    assert frames.shape[1:] == (64, 64)
    assert set(np.unique(frames)) == {0, 1}
    assert not np.array_equal(sequences.lengths, other[2].lengths)
    areas = frames.sum(axis=(1, 2))
    assert np.array_equal(areas, factors[:, 2])
    assert areas.min() >= 30
    middle = np.argwhere(frames[0]).mean(axis=0)
    assert np.allclose(factors[0, :2], middle)
    assert (np.abs(np.diff(factors[:, 0])) < 40).all()


def test_silhouettes_are_hidden_by_posts_and_by_the_border():
    frames, _, _ = made(sequences=40, frames=10)
    at_border = frames[:, :, [0, -1]].any(axis=(1, 2))
    columns = frames.any(axis=1)
    gaps = [(np.diff(np.flatnonzero(column)) > 1).any() for column in columns]  # a post parts a silhouette
    assert 0.02 < at_border.mean() < 0.5
    assert 0.005 < np.mean(gaps) < 0.5


def test_steps_of_the_stand_in_are_heavy_tailed_and_grow_with_the_motion():
    def steps(motion):
        _, factors, sequences = made(sequences=60, frames=40, motion=motion)
        within = sequences.owner
        return np.diff(factors[:, 1])[within[1:] == within[:-1]]

    slow, fast = steps(1.0), steps(3.0)
    kurtosis = np.mean((slow - slow.mean()) ** 4) / slow.var() ** 2
    assert kurtosis > 6  # 3 for a normal density, 6 for Laplace
    assert fast.std() > 1.5 * slow.std()
