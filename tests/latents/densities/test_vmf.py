"""The von Mises-Fisher density: angles and directions at every concentration."""

import math

import numpy as np
import pytest
import torch
from sampling import assert_follows, assert_supported, generator, must_end, some_mean
from scipy import stats

from demix.latents.densities.vmf import VonMisesFisher


def angle(sample, mean):
    """Angle to the mean in double precision, exact for small angles too."""
    return 2 * np.arcsin(np.clip((sample - mean).norm(dim=-1).numpy() / 2, 0, 1))


def vmf_angle_cdf(kappa, dim):
    """CDF of the angle, whose density is prop. to exp(kappa cos) sin^(dim - 2), integrated on a grid."""
    largest = min(math.pi, 15 * math.sqrt(dim / kappa)) if kappa else math.pi
    grid = np.linspace(0, largest, 200_001)
    density = np.exp(-2 * kappa * np.sin(grid / 2) ** 2) * np.sin(grid) ** (dim - 2)
    cdf = np.concatenate([[0], np.cumsum(density[1:] + density[:-1])])
    return lambda x: np.interp(x, grid, cdf / cdf[-1])


@pytest.mark.parametrize("kappa", [0, 0.5, 1, 10, 100, 1e5, 1e10])
@pytest.mark.parametrize("dim", [2, 3, 5, 10])
def test_vmf_angles_follow_the_integrated_density(dim, kappa):
    mean = some_mean(dim)
    sample = VonMisesFisher(kappa).on_sphere(mean.expand(20_000, dim), generator(5))
    assert_follows(angle(sample, mean), vmf_angle_cdf(kappa, dim))


@pytest.mark.parametrize("kappa", [1e5, 1e10, 1e15, 1e20])
@pytest.mark.parametrize("dim", [2, 3, 10])
def test_concentrated_vmf_distances_are_chi_squared(dim, kappa):
    mean = torch.eye(1, dim, dtype=torch.float64).expand(20_000, dim)
    with must_end():
        sample = VonMisesFisher(kappa).on_sphere(mean, generator())
    squared = (sample[:, 1:].square().sum(-1) * kappa).numpy()  # kappa sin^2
    assert_follows(squared, stats.chi2(dim - 1).cdf)


@pytest.mark.parametrize("kappa", [0.5, 10, 1e5])
@pytest.mark.parametrize("dim", [3, 5, 10])
def test_vmf_directions_around_the_mean_are_uniform(dim, kappa):
    mean = some_mean(dim)
    sample = VonMisesFisher(kappa).on_sphere(mean.expand(20_000, dim), generator(2))
    frame = torch.linalg.qr(torch.cat([mean[:, None], torch.eye(dim, dtype=torch.float64)[:, 1:]], dim=1))[0]
    tangent = torch.nn.functional.normalize(sample @ frame[:, 1:], dim=-1)
    for column in tangent.T:
        if dim == 3:  # an angle on the circle
            assert_follows(column, lambda t: 1 - np.arccos(np.clip(t, -1, 1)) / np.pi)
        else:
            assert_follows((1 + column) / 2, stats.beta((dim - 2) / 2, (dim - 2) / 2).cdf)


@pytest.mark.parametrize("kappa", [0.5, 10])
def test_vmf_on_the_circle_is_symmetric(kappa):
    sample = VonMisesFisher(kappa).on_sphere(torch.tensor([[1.0, 0.0]]).expand(20_000, 2), generator())
    assert stats.binomtest(int((sample[:, 1] > 0).sum()), 20_000).pvalue > 1e-4


@pytest.mark.parametrize("kappa", [0, 1e-8, 1e5, 1e8, 1e12, 1e16, 1e30])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("dim", [2, 10])
def test_vmf_is_finite_and_of_unit_length_at_every_concentration(dim, dtype, kappa):
    mean = some_mean(dim).to(dtype).expand(1000, dim)
    with must_end():
        sample = VonMisesFisher(kappa).on_sphere(mean, generator())
    assert_supported("sphere", sample)
    if kappa >= 1e5:
        assert (sample - mean).norm(dim=-1).max() < 10 * math.sqrt(dim / kappa) + 1e-6
