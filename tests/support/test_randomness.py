"""Named streams of random numbers: fixed for good, independent of one another and of global state."""

import numpy as np
import torch

from demix.support.randomness import numpy_generator, stream_seed, torch_generator

STREAMS = {(0, "data"): 5807405673665083786, (3, "initialization", "decoder"): 4382883760910311572}
"""Every trained bit depends on them."""


def test_seeds_of_streams_never_change():
    assert stream_seed(0, "data") == STREAMS[0, "data"]
    assert stream_seed(3, "initialization", "decoder") == STREAMS[3, "initialization", "decoder"]


def test_other_names_and_seeds_are_other_streams(untouched_global_randomness):
    seeds = {stream_seed(seed, *name) for seed in range(5) for name in [("data",), ("evaluation",), ("data", "more")]}
    assert len(seeds) == 15
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_equal_names_give_equal_numbers(untouched_global_randomness):
    one, other = (torch.rand(3, generator=torch_generator(1, "data")) for _ in range(2))
    assert torch.equal(one, other)
    assert np.array_equal(numpy_generator(1, "mixing").random(3), numpy_generator(1, "mixing").random(3))
    assert not torch.equal(one, torch.rand(3, generator=torch_generator(2, "data")))
