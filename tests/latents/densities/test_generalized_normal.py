"""The generalised normal density: quantiles on R^dim and in boxes, projection to the sphere, extreme widths."""

import math

import pytest
import torch
from sampling import (
    DIM,
    assert_fills_box,
    assert_follows_in_box,
    assert_follows_unbounded,
    assert_has_std,
    assert_narrow_in_box,
    assert_projects,
    generator,
)
from scipy import stats

from demix.latents.densities.generalized_normal import GeneralizedNormal
from demix.latents.densities.normal import Normal


def gennorm_noise(exponent, scale):
    return lambda rng, shape: scale * rng.choice([-1, 1], shape) * rng.gamma(1 / exponent, 1, shape) ** (1 / exponent)


LAWS = [
    (GeneralizedNormal(3, 0.05), stats.gennorm(3, scale=0.05)),
    (GeneralizedNormal(1.5, 1.0), stats.gennorm(1.5, scale=1.0)),
    (GeneralizedNormal(8, 0.3), stats.gennorm(8, scale=0.3)),
]
PROJECTED = [
    (GeneralizedNormal(3, 0.05), gennorm_noise(3, 0.05)),
    (GeneralizedNormal(3, 1.0), gennorm_noise(3, 1.0)),
]

every_law = pytest.mark.parametrize(("density", "law"), LAWS, ids=[str(density) for density, _ in LAWS])
every_dtype = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


@pytest.mark.parametrize(("density", "std"), [(GeneralizedNormal(3, 0.05), 0.0305)])
def test_noise_has_the_standard_deviation_of_its_name(density, std):
    assert_has_std(density, std)


@every_law
def test_unbounded_samples_follow_their_density(density, law):
    assert_follows_unbounded(density, law)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 0.5)])
@every_law
def test_box_samples_follow_the_truncated_density(density, law, low, high):
    assert_follows_in_box(density, law, low, high)


@every_dtype
def test_a_very_narrow_density_stays_finite_and_in_the_box(dtype):
    assert_narrow_in_box(GeneralizedNormal(3, 1e-3), dtype)


@every_dtype
def test_a_very_wide_density_fills_the_box_evenly(dtype):
    assert_fills_box(GeneralizedNormal(3, 30.0), dtype)


@pytest.mark.parametrize("diagonal", [False, True], ids=["pole", "diagonal"])
@pytest.mark.parametrize(("density", "noise"), PROJECTED, ids=[str(density) for density, _ in PROJECTED])
def test_on_the_sphere_it_is_projected_as_the_authors_define_it(density, noise, diagonal):
    assert_projects(density, noise, diagonal)


def test_a_generalised_normal_of_exponent_two_is_narrower_than_the_normal():
    centre = torch.zeros(20_000, DIM)
    ratio = (
        GeneralizedNormal(2, 0.05).unbounded(centre, generator()).std()
        / Normal(0.05).unbounded(centre, generator(1)).std()
    )
    assert ratio.item() == pytest.approx(1 / math.sqrt(2), rel=0.01)
