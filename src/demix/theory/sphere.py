r"""The von Mises-Fisher density on the unit sphere of R^dim in closed form, at every concentration.

Everything follows from log m(k) with m(k) = E exp(k t), where t is the cosine between a fixed unit vector and a uniform
one. For the density prop. to exp(k <mean, z>) the integral over the sphere is C(k) = |S| m(k).
"""

import math

from scipy.special import gammaln, hyp0f1, ive

LARGEST_SERIES_EXPONENT = 300.0


def log_area(dim: int) -> float:
    """log |S|, the area of the unit sphere in R^dim: 2 pi^(dim/2) / Gamma(dim/2).

    Raises:
        ValueError: dim < 2.
    """
    _check_dim(dim)
    return math.log(2) + dim / 2 * math.log(math.pi) - math.lgamma(dim / 2)


def log_mean_exp(k: float, dim: int) -> float:
    """log m(k), the cumulant generating function of a uniform cosine; 0 at k = 0.

    m(k) = 0F1(dim/2; k^2/4) = Gamma(dim/2) (2/k)^(dim/2 - 1) I_(dim/2 - 1)(k).

    Args:
        k: concentration, at least 0; 1e5 and far more stay finite.
        dim: of the space around the sphere, at least 2.

    Raises:
        ValueError: k is negative or not finite, or dim < 2.
    """
    _check(k, dim)
    order = dim / 2 - 1
    if _is_small(k, dim):
        return math.log(hyp0f1(order + 1, k * k / 4))
    return float(gammaln(order + 1) + order * math.log(2 / k) + math.log(ive(order, k)) + k)


def log_normalizer(k: float, dim: int) -> float:
    """log C(k), the logarithm of the integral of exp(k <mean, z>) over the sphere; log |S| at k = 0."""
    return log_area(dim) + log_mean_exp(k, dim)


def mean_cosine(k: float, dim: int) -> float:
    """A(k) = I_(dim/2)(k) / I_(dim/2 - 1)(k), the mean of <mean, z> and the derivative of log m."""
    _check(k, dim)
    if _is_small(k, dim):
        return k / dim * math.exp(log_mean_exp(k, dim + 2) - log_mean_exp(k, dim))
    return float(ive(dim / 2, k) / ive(dim / 2 - 1, k))


def _is_small(k: float, dim: int) -> bool:
    """The series of 0F1 does not overflow; beyond, the scaled Bessel functions do not underflow."""
    return k * k / (2 * dim) < LARGEST_SERIES_EXPONENT


def _check(k: float, dim: int) -> None:
    if not (math.isfinite(k) and k >= 0):
        raise ValueError(f"a concentration is a finite number of at least 0, got {k}")
    _check_dim(dim)


def _check_dim(dim: int) -> None:
    if dim < 2:
        raise ValueError(f"a sphere needs at least 2 dimensions, got {dim}")


def sphere_cross_entropy(concentration: float, model_concentration: float, dim: int) -> float:
    """Between vMF(kappa) and the model's vMF(k) on the unit sphere of R^dim, in nats: -k A(kappa) + log C(k).

    Smallest over k at k = kappa, where it is the entropy (ICML 2021, Proposition 1).

    Args:
        concentration: kappa of the pairs.
        model_concentration: k = radius^2 / tau of an encoder that is an isometry.

    Raises:
        ValueError: a concentration is negative or not finite, or dim < 2.
    """
    return log_normalizer(model_concentration, dim) - model_concentration * mean_cosine(concentration, dim)


def sphere_limit(concentration: float, model_concentration: float, dim: int) -> float:
    """What loss - log M tends to for M independent uniform negatives (ICML 2021, Theorem 1).

    The cross-entropy minus log |S|; see `sphere_cross_entropy` for the arguments.
    """
    return log_mean_exp(model_concentration, dim) - model_concentration * mean_cosine(concentration, dim)


def sphere_first_order(concentration: float, model_concentration: float, dim: int) -> float:
    """Coefficient of 1 / M in the loss for M independent uniform negatives.

    E exp(s+) / c - Var(exp(s)) / (2 c^2) with c = E exp(s) = m(k): the positive in the denominator adds the first
    term, the finite number of negatives takes off the second.
    """
    kappa, k = concentration, model_concentration
    log_m = log_mean_exp(k, dim)
    positive = math.exp(log_mean_exp(k + kappa, dim) - log_mean_exp(kappa, dim) - log_m)
    return positive - math.expm1(log_mean_exp(2 * k, dim) - 2 * log_m) / 2
