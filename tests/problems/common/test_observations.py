"""Observations that are read piece by piece."""

import numpy as np
import torch

from demix.problems.common.observations import Stored
from demix.support.randomness import torch_generator

SHAPE = (3, 32, 32)


def images(count=6, seed=0):
    return torch.randn(count, *SHAPE, generator=torch_generator(seed, "images"))


def test_stored_observations_come_in_batches_of_their_own():
    everything = images(10)
    stored = Stored(lambda numbers: everything[numbers], np.arange(10)[::-1].copy(), 4)
    parts = list(stored.batches())
    assert [len(part) for part in parts] == [4, 4, 2]
    assert torch.equal(torch.cat(parts), everything.flip(0))
    assert len(stored) == 10
