"""Spaces: where their marginals are centred."""

import pytest
import torch
from sampling import generator, problem

from demix.latents.spaces.box import Box
from demix.latents.spaces.sphere import Sphere
from demix.latents.spaces.unbounded import Unbounded


def test_the_space_decides_where_a_marginal_is_centred():
    narrow = {"kind": "normal", "std": 0.001}
    for space, middle in [("sphere", [1.0] + [0.0] * 9), ("box", [0.5] * 10), ("unbounded", [0.0] * 10)]:
        sample = problem(space, narrow).latents(1000, generator())
        torch.testing.assert_close(sample.mean(0), torch.tensor(middle), rtol=0, atol=2e-4)
    wide_box = problem({"kind": "box", "low": -2, "high": 4}, narrow).latents(1000, generator())
    torch.testing.assert_close(wide_box.mean(0), torch.ones(10), rtol=0, atol=2e-4)


@pytest.mark.parametrize(
    ("space", "middle"),
    [(Sphere(3), [1.0, 0.0, 0.0]), (Box(3), [0.5] * 3), (Box(2, -2, 4), [1.0, 1.0]), (Unbounded(2), [0.0, 0.0])],
    ids=repr,
)
def test_the_middle_of_a_space(space, middle):
    assert space.middle().tolist() == middle
