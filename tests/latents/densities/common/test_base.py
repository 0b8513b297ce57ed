"""What every density inherits: rejection in a box that gives up, and no sampler where it does not live."""

import time

import pytest
import torch
from sampling import generator

from demix.latents.densities.common import base
from demix.latents.densities.generalized_normal import GeneralizedNormal
from demix.latents.densities.uniform import Uniform
from demix.latents.densities.vmf import VonMisesFisher
from demix.latents.spaces.box import Box
from demix.latents.spaces.unbounded import Unbounded


def test_a_density_far_outside_its_box_gives_up(monkeypatch):
    monkeypatch.setattr(base, "MAX_ROUNDS", 20)
    start = time.perf_counter()
    with pytest.raises(RuntimeError, match=r"GeneralizedNormal.* hardly ever falls into \[0\.0, 1\.0\]"):
        GeneralizedNormal(3, 0.05).in_box(torch.full((100, 3), 50.0), 0.0, 1.0, generator())
    assert time.perf_counter() - start < 1


def test_a_single_coordinate_that_never_fits_is_counted(monkeypatch):
    monkeypatch.setattr(base, "MAX_ROUNDS", 20)
    centre = torch.full((100, 3), 0.5)
    centre[7, 1] = 50.0
    with pytest.raises(RuntimeError, match=": 1 coordinates are left"):
        GeneralizedNormal(3, 0.05).in_box(centre, 0.0, 1.0, generator())


@pytest.mark.parametrize(
    ("space", "density"),
    [(Box(3), VonMisesFisher(1.0)), (Unbounded(3), VonMisesFisher(1.0)), (Unbounded(3), Uniform())],
)
def test_code_without_a_spec_cannot_draw_it_either(space, density):
    with pytest.raises(NotImplementedError, match=type(density).__name__):
        space.draw(density, torch.zeros(2, 3), generator())
