"""The normal density: quantiles on R^dim and in boxes, projection to the sphere, extreme widths."""

import pytest
import torch
from sampling import (
    assert_fills_box,
    assert_follows_in_box,
    assert_follows_unbounded,
    assert_has_std,
    assert_narrow_in_box,
    assert_projects,
    generator,
    problem,
)
from scipy import stats

from demix.latents.densities.normal import Normal

LAWS = [
    (Normal(0.05), stats.norm(scale=0.05)),
    (Normal(1.0), stats.norm(scale=1.0)),
]
PROJECTED = [
    (Normal(0.05), lambda rng, shape: rng.normal(0, 0.05, shape)),
    (Normal(1.0), lambda rng, shape: rng.normal(0, 1.0, shape)),
]

every_law = pytest.mark.parametrize(("density", "law"), LAWS, ids=[str(density) for density, _ in LAWS])
every_dtype = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


@pytest.mark.parametrize(("density", "std"), [(Normal(0.05), 0.05), (Normal(2.0), 2.0)])
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
    assert_narrow_in_box(Normal(1e-3), dtype)


@every_dtype
def test_a_very_wide_density_fills_the_box_evenly(dtype):
    assert_fills_box(Normal(1e3), dtype)


@pytest.mark.parametrize("diagonal", [False, True], ids=["pole", "diagonal"])
@pytest.mark.parametrize(("density", "noise"), PROJECTED, ids=[str(density) for density, _ in PROJECTED])
def test_on_the_sphere_it_is_projected_as_the_authors_define_it(density, noise, diagonal):
    assert_projects(density, noise, diagonal)


def test_the_normal_marginal_of_the_sphere_leans_to_the_pole():
    z = problem("sphere", {"kind": "normal", "std": 1}).latents(100_000, generator())
    assert z[:, 0].mean().item() == pytest.approx(0.297, abs=0.003)
    torch.testing.assert_close(z[:, 1:].mean(0), torch.zeros(9), rtol=0, atol=0.005)
