"""Monte Carlo estimates of the quantities that the theorems speak of, with their standard errors.

By symmetry the losses on the sphere depend on cosines alone: a positive has that of a von Mises-Fisher sample, a
negative that of a uniform point. The mean similarity of the positives is replaced by its exact value, which takes
its noise out of the loss without moving its expectation.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import erf, gammainc, gammaincinv, logsumexp

from demix.theory.box import BoxConditional
from demix.theory.sphere import log_mean_exp, mean_cosine


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, samples: NDArray, shift: float = 0.0) -> "Estimate":
        """The mean of independent samples, moved by `shift`."""
        return cls(float(samples.mean()) + shift, float(samples.std(ddof=1)) / math.sqrt(len(samples)))

    def minus(self, constant: float) -> "Estimate":
        """The estimate of the same quantity less a constant."""
        return Estimate(self.value - constant, self.error)


class SphereSample:
    """Cosines of pairs and negatives for many anchors, all independent.

    Args:
        concentration: kappa of the pairs.
        dim: of the space around the sphere.
        negatives: of every anchor, uniform.
        anchors: how many.
    """

    def __init__(self, concentration: float, dim: int, negatives: int, anchors: int, generator: np.random.Generator):
        from scipy.stats import vonmises_fisher

        pole = np.eye(1, dim)[0]
        pairs = vonmises_fisher(pole, concentration).rvs(anchors, random_state=generator) @ pole
        others = 2 * generator.beta((dim - 1) / 2, (dim - 1) / 2, size=(anchors, negatives)) - 1
        self.cosines = np.column_stack([pairs, others])
        self.mean_cosine = mean_cosine(concentration, dim)

    def loss(self, k: float) -> Estimate:
        """Loss in nats, with model concentration k."""
        return Estimate.of(logsumexp(k * self.cosines, axis=1), shift=-k * self.mean_cosine)

    def slope(self, k: float) -> Estimate:
        """Derivative of the loss by the model concentration."""
        return Estimate.of(self._slopes(k), shift=-self.mean_cosine)

    def minimizer(self, low: float, high: float) -> Estimate:
        """The model concentration with the smallest loss, between `low` and `high`."""
        best = brentq(lambda k: self.slope(k).value, low, high, xtol=1e-9)
        step = 1e-3 * best
        curvature = (self.slope(best + step).value - self.slope(best - step).value) / (2 * step)
        return Estimate(best, self.slope(best).error / curvature)

    def _slopes(self, k: float) -> NDArray:
        weights = np.exp(k * (self.cosines - 1))
        return (weights * self.cosines).sum(axis=1) / weights.sum(axis=1)


def simulate_box_loss(
    conditional: BoxConditional, dim: int, negatives: int, anchors: int, generator: np.random.Generator
) -> Estimate:
    """Lp InfoNCE loss in nats on [0, 1]^dim for uniform latents and the model that matches the conditional."""
    z = generator.uniform(size=(anchors, dim))
    pairs = -conditional_delta(conditional, z, generator).sum(axis=1)
    others = generator.uniform(size=(anchors, negatives, dim))
    others = -((np.abs(others - z[:, None]) / conditional.width) ** conditional.exponent).sum(axis=2)
    log_sums = logsumexp(np.column_stack([pairs, others]), axis=1)
    return Estimate.of(log_sums, shift=dim * conditional.alignment())


def conditional_delta(conditional: BoxConditional, z: NDArray, generator: np.random.Generator) -> NDArray:
    """(|z~ - z| / width)^p of one truncated sample around every coordinate of z, by inverting the CDF."""
    p = conditional.exponent
    left, right = (gammainc(1 / p, (reach / conditional.width) ** p) for reach in (z, 1 - z))
    side = np.where(generator.uniform(size=z.shape) * (left + right) < left, left, right)
    return gammaincinv(1 / p, generator.uniform(size=z.shape) * side)


def simulate_mass_sphere(concentration: float, dim: int, count: int, generator: np.random.Generator) -> Estimate:
    """Mass to move of a von Mises-Fisher marginal: the mean of max(0, 1 - p / p_uniform) over uniform points."""
    cosine = 2 * generator.beta((dim - 1) / 2, (dim - 1) / 2, size=count) - 1
    return _missing_mass(concentration * cosine - log_mean_exp(concentration, dim))


def simulate_mass_box(std: float, dim: int, count: int, generator: np.random.Generator) -> Estimate:
    """The same for a normal marginal around the middle of the box [0, 1]^dim."""
    squared = ((generator.uniform(size=(count, dim)) - 0.5) ** 2).sum(axis=1)
    log_z = math.log(std * math.sqrt(2 * math.pi) * erf(0.5 / (std * math.sqrt(2))))
    return _missing_mass(-squared / (2 * std * std) - dim * log_z)


def _missing_mass(log_ratio: NDArray) -> Estimate:
    return Estimate.of(-np.expm1(np.minimum(log_ratio, 0.0)))
