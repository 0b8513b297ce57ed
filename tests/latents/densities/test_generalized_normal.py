"""The generalised normal density beside the normal. What it shares with other noise: test_every_noise.py."""

import math

import pytest
import torch
from sampling import DIM, generator

from demix.latents.densities.generalized_normal import GeneralizedNormal
from demix.latents.densities.normal import Normal


def test_a_generalised_normal_of_exponent_two_is_narrower_than_the_normal():
    centre = torch.zeros(20_000, DIM)
    ratio = (
        GeneralizedNormal(2, 0.05).unbounded(centre, generator()).std()
        / Normal(0.05).unbounded(centre, generator(1)).std()
    )
    assert ratio.item() == pytest.approx(1 / math.sqrt(2), rel=0.01)
