r"""The mass to move: total variation between a marginal and the uniform density, 1/2 int |p(z) - p_uniform(z)| dz.

ICML 2021, Figure 2 (blue curves). Both ratios p / p_uniform depend on one number only, the cosine to the pole or the
squared distance from the middle, so the integral is one-dimensional.
"""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.signal import fftconvolve
from scipy.special import betainc, erf

from demix.theory.sphere import log_mean_exp

CELLS = 1 << 14
"""Cells of the grid for the squared distance from the middle of a box."""


def mass_to_move_sphere(concentration: float, dim: int) -> float:
    """For a von Mises-Fisher marginal on the unit sphere of R^dim.

    The density ratio exp(kappa (t - t*)) is 1 where the cosine t is t* = log m(kappa) / kappa, so the mass is
    E[1 - exp(kappa (t - t*))] over the uniform cosines below t*.

    Args:
        concentration: kappa, at least 0.
        dim: of the space around the sphere, at least 2.

    Returns:
        A fraction, 0 at concentration 0.

    Raises:
        ValueError: the concentration is negative or not finite, or dim < 2.
    """
    log_m = log_mean_exp(concentration, dim)
    if concentration == 0:
        return 0.0
    crossing = min(log_m / concentration, 1.0)
    edge = math.acos(crossing)
    start = math.acos(max(crossing - 40 / concentration, -1.0))  # beyond it the ratio is 0 to double precision
    norm = math.exp(math.lgamma(dim / 2) - math.lgamma((dim - 1) / 2)) / math.sqrt(math.pi)

    def integrand(angle: float) -> float:
        return -math.expm1(concentration * (math.cos(angle) - crossing)) * norm * math.sin(angle) ** (dim - 2)

    near = quad(integrand, edge, start, epsabs=1e-14, epsrel=1e-10, limit=200)[0]
    far = float(betainc((dim - 1) / 2, (dim - 1) / 2, (1 + math.cos(start)) / 2)) if start < math.pi else 0.0
    return min(max(near + far, 0.0), 1.0)


def mass_to_move_box(std: float, dim: int, width: float = 1.0) -> float:
    """For a normal marginal around the middle of the box [0, width]^dim, truncated to it.

    The density ratio is exp((s* - s) / (2 std^2)) with the squared distance s from the middle. The mass is
    E[1 - 1 / ratio] over the normal points with s < s*, or E[ratio - 1] over the uniform ones; the latter loses no
    digits close to uniform. The law of s is a dim-fold convolution on a grid over [0, s*].

    Args:
        std: standard deviation of a coordinate before truncation.
        dim: number of coordinates.
        width: of the box.

    Returns:
        A fraction.

    Raises:
        ValueError: std or width is not positive and finite, or dim < 1.
    """
    if not (0 < std < math.inf and 0 < width < math.inf) or dim < 1:
        raise ValueError(f"need positive, finite std and width, and dim >= 1, got {std=}, {width=} and {dim=}")
    sigma = std / width
    precision = 1 / (2 * sigma * sigma)
    log_z = math.log(erf(0.5 / (sigma * math.sqrt(2)))) + math.log(sigma) + 0.5 * math.log(2 * math.pi)
    crossing = -dim * log_z / precision
    grid = np.linspace(0, crossing, CELLS + 1)
    log_ratio = (crossing - grid) * precision
    if log_ratio[0] < 1:
        return float(_sum_law(_uniform_integral(grid), grid[1], dim) @ np.expm1(log_ratio))
    return float(_sum_law(_normal_integral(grid, sigma), grid[1], dim) @ -np.expm1(-log_ratio))


def _uniform_integral(s: NDArray) -> NDArray:
    """Integral from 0 to s of the CDF of (z - 1/2)^2, z uniform on [0, 1]."""
    inside = np.minimum(s, 0.25)
    return 4 / 3 * inside**1.5 + (s - inside)


def _normal_integral(s: NDArray, sigma: float) -> NDArray:
    """The same for z normal around 1/2, truncated to [0, 1]."""
    inside = np.minimum(s, 0.25)
    x, a = np.sqrt(inside), sigma * math.sqrt(2)
    integral = (inside - a * a / 2) * erf(x / a) + a * x / math.sqrt(math.pi) * np.exp(-inside / (a * a))
    return integral / erf(0.5 / a) + (s - inside)


def _sum_law(integral: NDArray, step: float, dim: int) -> NDArray:
    """Law of a sum of `dim` independent variables on an even grid from 0, what lies beyond its end left out.

    Args:
        integral: of the CDF of one variable up to every grid point. The mass of a cell is shared among its two ends
            such that its mean is kept: the second differences of the integral.
        step: of the grid.

    Returns:
        Masses at the grid points but for the last one, whose cell to the right is not there; it gets none.
    """
    mean_cdf = np.diff(integral, prepend=0.0) / step
    mean_cdf[0] = 0.0
    one = np.append(np.diff(mean_cdf), 0.0)
    law = one
    for _ in range(dim - 1):
        law = fftconvolve(law, one)[: len(one)]
    return law
