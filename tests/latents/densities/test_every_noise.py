"""Every density of noise around a centre: quantiles on R^dim and in boxes, projection to the sphere, extreme widths."""

import math

import numpy as np
import pytest
import torch
from sampling import DIM, assert_follows, assert_supported, generator, some_mean
from scipy import stats

from demix.latents.densities.generalized_normal import GeneralizedNormal
from demix.latents.densities.laplace import Laplace
from demix.latents.densities.normal import Normal
from demix.latents.spaces.box import Box
from demix.latents.spaces.sphere import Sphere


def gennorm_noise(exponent, scale):
    return lambda rng, shape: scale * rng.choice([-1, 1], shape) * rng.gamma(1 / exponent, 1, shape) ** (1 / exponent)


LAWS = [
    (Normal(0.05), stats.norm(scale=0.05)),
    (Normal(1.0), stats.norm(scale=1.0)),
    (Laplace(0.05), stats.laplace(scale=0.05)),
    (Laplace(1.0), stats.laplace(scale=1.0)),
    (GeneralizedNormal(3, 0.05), stats.gennorm(3, scale=0.05)),
    (GeneralizedNormal(1.5, 1.0), stats.gennorm(1.5, scale=1.0)),
    (GeneralizedNormal(8, 0.3), stats.gennorm(8, scale=0.3)),
]
PROJECTED = [
    (Normal(0.05), lambda rng, shape: rng.normal(0, 0.05, shape)),
    (Normal(1.0), lambda rng, shape: rng.normal(0, 1.0, shape)),
    (Laplace(0.05), lambda rng, shape: rng.laplace(0, 0.05, shape)),
    (Laplace(1.0), lambda rng, shape: rng.laplace(0, 1.0, shape)),
    (GeneralizedNormal(3, 0.05), gennorm_noise(3, 0.05)),
    (GeneralizedNormal(3, 1.0), gennorm_noise(3, 1.0)),
]
STANDARD_DEVIATIONS = [
    (Normal(0.05), 0.05),
    (Normal(2.0), 2.0),
    (Laplace(0.05), 0.0707),
    (GeneralizedNormal(3, 0.05), 0.0305),
]
VERY_NARROW = [Normal(1e-3), Laplace(1e-3), GeneralizedNormal(3, 1e-3)]
VERY_WIDE = [Normal(1e3), Laplace(1e3), GeneralizedNormal(3, 30.0)]

every_law = pytest.mark.parametrize(("density", "law"), LAWS, ids=[str(density) for density, _ in LAWS])
every_dtype = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


@pytest.mark.parametrize(("density", "std"), STANDARD_DEVIATIONS, ids=str)
def test_noise_has_the_standard_deviation_of_its_name(density, std):
    sample = density.unbounded(torch.zeros(20_000, DIM), generator())
    assert math.isclose(sample.std().item(), std, rel_tol=0.01)
    assert abs(sample.mean().item()) <= 0.01 * std


@every_law
def test_unbounded_samples_have_independent_coordinates_of_their_density(density, law):
    centre = torch.linspace(-2, 2, 5).repeat(4000, 1)
    sample = density.unbounded(centre, generator(2)).double() - centre
    for column in sample.T:
        assert_follows(column, law.cdf)
    assert np.abs(np.corrcoef(sample.T) - np.eye(5)).max() < 0.08


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 0.5)])
@every_law
def test_box_samples_follow_the_truncated_density_wherever_the_centre_lies(density, law, low, high):
    centres = low + (high - low) * torch.tensor([0.0, 0.03, 0.5, 0.9, 1.0], dtype=torch.float64)
    sample = Box(5, low, high).draw(density, centres.repeat(4000, 1), generator(2))
    for column, centre in zip(sample.T, centres.tolist(), strict=True):
        below, above = law.cdf(low - centre), law.cdf(high - centre)

        def truncated(x, centre=centre, below=below, above=above):
            return (law.cdf(x - centre) - below) / (above - below)

        assert_follows(column, truncated)
        assert column.min() >= low
        assert column.max() <= high
    assert np.abs(np.corrcoef(sample.T) - np.eye(5)).max() < 0.08


@every_dtype
@pytest.mark.parametrize("density", VERY_NARROW, ids=str)
def test_a_very_narrow_density_stays_finite_in_the_box_and_as_wide_as_without_it(density, dtype):
    centre = torch.tensor([0.0, 1e-4, 0.5, 1.0], dtype=dtype).repeat(2000, 1)
    sample = density.in_box(centre, 0.0, 1.0, generator())
    assert_supported("box", sample)
    assert (sample - centre).abs().max() < 0.02
    free = density.unbounded(centre, generator())[:, 2]
    assert math.isclose(sample[:, 2].std().item(), free.std().item(), rel_tol=0.1)


@every_dtype
@pytest.mark.parametrize("density", VERY_WIDE, ids=str)
def test_a_very_wide_density_fills_the_box_evenly(density, dtype):
    centre = torch.tensor([0.0, 0.5, 1.0], dtype=dtype).repeat(2000, 1)
    sample = density.in_box(centre, 0.0, 1.0, generator())
    assert_supported("box", sample)
    for column in sample.T:
        assert_follows(column, stats.uniform.cdf)


@pytest.mark.parametrize("diagonal", [False, True], ids=["pole", "diagonal"])
@pytest.mark.parametrize(("density", "noise"), PROJECTED, ids=[str(density) for density, _ in PROJECTED])
def test_on_the_sphere_it_is_projected_as_the_authors_define_it(density, noise, diagonal):
    """Like a simulation: noise from numpy around the mean, divided by the length."""
    mean = some_mean(DIM) if diagonal else Sphere(DIM).middle().double()
    ours = Sphere(DIM).draw(density, mean.expand(20_000, DIM), generator()).numpy()
    drawn = mean.numpy() + noise(np.random.default_rng(11), (20_000, DIM))
    theirs = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    for statistic in [lambda z: z @ mean.numpy(), lambda z: z[:, 0], lambda z: z[:, 1], lambda z: np.abs(z).max(1)]:
        assert stats.ks_2samp(statistic(ours), statistic(theirs)).pvalue > 1e-4
