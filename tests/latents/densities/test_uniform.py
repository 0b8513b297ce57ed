"""The uniform density: quantiles in boxes and on the sphere."""

import pytest
import torch
from sampling import assert_follows, generator, some_mean
from scipy import stats

from demix.latents.densities.uniform import Uniform
from demix.latents.densities.vmf import VonMisesFisher
from demix.latents.spaces.box import Box


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 0.5)])
def test_uniform_box_samples_are_uniform(low, high):
    sample = Box(3, low, high).draw(Uniform(), torch.zeros(5000, 3), generator())
    for column in sample.T:
        assert_follows(column, stats.uniform(low, high - low).cdf)


@pytest.mark.parametrize("dim", [2, 3, 10])
def test_uniform_points_and_vmf_of_no_concentration_are_the_same(dim):
    mean = some_mean(dim).expand(20_000, dim)
    cosines = [(d.on_sphere(mean, generator(1)) @ mean[0] + 1) / 2 for d in (Uniform(), VonMisesFisher(0))]
    for cosine in cosines:
        assert_follows(cosine, stats.beta((dim - 1) / 2, (dim - 1) / 2).cdf)
