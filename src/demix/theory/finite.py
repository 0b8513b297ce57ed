r"""Exact expectations of the contrastive losses with M independent negatives, not only their limits.

The loss of an anchor is -s+ + log X with X = exp(s+) + sum_i exp(s_i). Given the anchor the similarities are
independent, so E exp(-t X) is a product, and E log X = int_0^inf (exp(-t) - E exp(-t X)) / t dt. With t = exp(u) the
integrand is smooth and decays on both sides: the trapezoidal rule converges exponentially.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.special import roots_jacobi

from demix.theory.box import BoxConditional
from demix.theory.sphere import mean_cosine

STEP = 0.25
"""Of the trapezoidal rule in log t."""

LARGEST = 1e6
"""Negatives for which the range of log t is wide enough."""

LARGEST_CONCENTRATION = 200.0
"""Up to here the quadrature over cosines stays quick."""


def sphere_loss(
    concentration: float, model_concentration: float, dim: int, negatives: int, *, self_negative: bool = False
) -> float:
    """Expected InfoNCE loss in nats for uniform latents, vMF(kappa) pairs and an isometric encoder.

    Args:
        concentration: kappa of the pairs.
        model_concentration: k = radius^2 / tau of the encoder.
        dim: of the space around the sphere.
        negatives: M, independent and uniform.
        self_negative: the anchor stands in the denominator once more, as in the authors' training loss; a batch of B
            then has M = B - 1 others.

    Raises:
        ValueError: outside the domain of `mean_cosine`, a concentration above 200, or M not in 1 .. 1e6.
    """
    _check_negatives(negatives)
    if max(concentration, model_concentration) > LARGEST_CONCENTRATION:
        raise ValueError(f"exact expectations reach to concentration 200, got {concentration}, {model_concentration}")
    k = model_concentration
    alignment = k * mean_cosine(concentration, dim)
    cosine, weights = _cosines(dim, max(concentration, k))
    pairs = weights * np.exp(concentration * (cosine - 1))
    log_t = _log_t(k)
    hit = _hits(log_t[:, None] + k * cosine)
    transform = _log_complement(hit @ (pairs / pairs.sum())) + negatives * _log_complement(hit @ weights)
    if self_negative:
        transform -= np.exp(np.minimum(log_t + k, 700.0))
    return _mean_log(log_t, np.exp(transform)) - alignment


def box_losses(conditional: BoxConditional, dim: int, negatives: Sequence[int]) -> list[float]:
    """Expected Lp InfoNCE loss in nats on [0, 1]^dim, uniform latents and the model that matches the conditional.

    Args:
        conditional: of the pairs.
        dim: 1 or 2.
        negatives: several M, independent and uniform.

    Returns:
        The loss for each M.

    Raises:
        ValueError: dim is neither 1 nor 2, or an M is not in 1 .. 1e6.
    """
    if dim not in (1, 2):
        raise ValueError(f"exact expectations on the box exist for 1 and 2 dimensions, got {dim}")
    for count in negatives:
        _check_negatives(count)
    log_t = _log_t(0.0)
    transforms = {count: np.zeros_like(log_t) for count in negatives}
    for weight, log_pair, log_other in _anchors(conditional, dim, log_t):
        for count, total in transforms.items():
            total += weight * np.exp(log_pair + count * log_other)
    alignment = dim * conditional.alignment()
    return [_mean_log(log_t, total) + alignment for total in transforms.values()]


def _anchors(conditional: BoxConditional, dim: int, log_t: NDArray):
    """For anchors z of a quadrature: weight, log E exp(-t e^(s+)) and log E exp(-t e^s) at every t."""
    z, weights = conditional.anchors()
    lines = [_Line(conditional, float(point)) for point in z]
    if dim == 1:
        for weight, line in zip(weights, lines, strict=True):
            hit = _hits(log_t[:, None] + line.similarity)
            yield weight, _log_complement(hit @ line.pairs), _log_complement(hit @ line.others)
        return
    grid = np.arange(log_t[0] - 1, log_t[-1] + 0.1, 0.05)
    for i, first in enumerate(lines):
        hit = _hits(grid[:, None] + first.similarity)
        curves = [CubicSpline(grid, hit @ law) for law in (first.pairs, first.others)]
        for j, second in enumerate(lines[: i + 1]):  # z and its mirror image have the same law
            argument = log_t[:, None] + second.similarity
            inside = argument > grid[0]
            argument = np.maximum(argument, grid[0])
            pair, other = (np.where(inside, curve(argument), 0.0) for curve in curves)
            weight = weights[i] * weights[j] * (1 if i == j else 2)
            yield weight, _log_complement(pair @ second.pairs), _log_complement(other @ second.others)


class _Line:
    """One coordinate at anchor z: similarities, their law for a negative and for a positive."""

    def __init__(self, conditional: BoxConditional, z: float):
        self.similarity, self.others = conditional.partners(z)
        self.pairs = self.others * np.exp(self.similarity) / conditional.normalizer(z)


def _cosines(dim: int, concentration: float) -> tuple[NDArray, NDArray]:
    """Quadrature points and weights for the mean over the cosine of a uniform point."""
    points, weights = roots_jacobi(200 + 20 * math.ceil(concentration), (dim - 3) / 2, (dim - 3) / 2)
    return points, weights / weights.sum()


def _log_t(largest_similarity: float) -> NDArray:
    """Where the integrand is not 0 to double precision."""
    return np.arange(-30 - math.log(LARGEST) - largest_similarity, 45 + largest_similarity, STEP)


def _hits(log_rate: NDArray) -> NDArray:
    """1 - exp(-t e^s)."""
    return -np.expm1(-np.exp(np.minimum(log_rate, 700.0)))


def _log_complement(probability: NDArray) -> NDArray:
    """log(1 - probability)."""
    return np.log1p(-np.minimum(probability, 1 - 1e-16))


def _mean_log(log_t: NDArray, transform: NDArray) -> float:
    """E log X from E exp(-t X) on an even grid of log t."""
    return float(STEP * np.sum(np.exp(-np.exp(np.minimum(log_t, 700.0))) - transform))


def _check_negatives(count: int) -> None:
    if not 1 <= count <= LARGEST:
        raise ValueError(f"the number of negatives must be between 1 and {LARGEST:g}, got {count}")
