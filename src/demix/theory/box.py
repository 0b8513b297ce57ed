r"""Conditionals on the box [0, 1]^dim that theory treats in closed form, coordinate by coordinate."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammainc

from demix.specs.latents.densities import DensitySpec

POINTS = 8
"""Gauss-Legendre points in a panel."""


@dataclass(frozen=True)
class BoxConditional:
    """Density prop. to exp(-(|z~ - z| / width)^exponent) in every coordinate, truncated to [0, 1].

    The model of ICML 2021, Theorem 3, that matches it has h(z) = b z and minus delta_p(h, h~) / tau as similarity, with
    b^p / tau = 1 / width^p.

    Args:
        exponent: p; 1 is Laplace with that scale.
        width: the papers' lambda. A normal density of standard deviation sigma has exponent 2, width sqrt(2) sigma.

    Raises:
        ValueError: exponent < 1 or width is not positive and finite.
    """

    exponent: float
    width: float

    def __post_init__(self):
        if not (1 <= self.exponent < math.inf and 0 < self.width < math.inf):
            raise ValueError(f"need exponent >= 1 and width > 0, both finite, got {self.exponent} and {self.width}")

    @classmethod
    def of(cls, density: DensitySpec) -> "BoxConditional":
        """A Laplace, normal or generalised normal density as theory writes it."""
        fields = dict(density)
        if density.kind == "normal":
            return cls.normal(fields["std"])
        return cls(fields.get("exponent", 1.0), fields["scale"])

    @classmethod
    def normal(cls, std: float) -> "BoxConditional":
        """The normal density with that standard deviation."""
        return cls(2.0, math.sqrt(2) * std)

    def normalizer(self, z: ArrayLike, power: float = 1.0) -> NDArray:
        """C(z) = int_0^1 exp(-power (|y - z| / width)^p) dy, shape of z."""
        p, width = self.exponent, self.width * power ** (-1 / self.exponent)
        return width * math.gamma(1 + 1 / p) * sum(gammainc(1 / p, (a / width) ** p) for a in _reaches(z))

    def mean_delta(self, z: ArrayLike) -> NDArray:
        """Mean of (|z~ - z| / width)^p over z~, shape of z."""
        p = self.exponent
        whole = self.width / p * math.gamma(1 + 1 / p)
        return whole * sum(gammainc(1 + 1 / p, (a / self.width) ** p) for a in _reaches(z)) / self.normalizer(z)

    def alignment(self) -> float:
        """E[delta] / tau of a coordinate, over uniform z."""
        z, weights = self.anchors()
        return float(weights @ self.mean_delta(z))

    def cross_entropy(self) -> float:
        """E[delta] / tau + E[log C(z)] of a coordinate in nats; the limit of loss - log M is dim times it."""
        z, weights = self.anchors()
        return float(weights @ (self.mean_delta(z) + np.log(self.normalizer(z))))

    def first_order(self, dim: int) -> float:
        """Coefficient of 1 / M in the loss for M independent uniform negatives: (rho^dim + 1) / 2.

        rho = E[C_2(z) / C(z)^2] where C_2 is the integral of the squared kernel.
        """
        z, weights = self.anchors()
        rho = float(weights @ (self.normalizer(z, power=2.0) / self.normalizer(z) ** 2))
        return (rho**dim + 1) / 2

    def anchors(self) -> tuple[NDArray, NDArray]:
        """Quadrature points and weights for the mean over z uniform on [0, 1], which is symmetric: z <= 1/2."""
        points, weights = _panels(0.5, self.width)
        return points, 2 * weights

    def partners(self, z: float) -> tuple[NDArray, NDArray]:
        """Quadrature points -(|y - z| / width)^p and weights for integrals over y in [0, 1], fine around z."""
        sides = [_panels(float(a), self.width) for a in _reaches(z) if a > 0]
        distance, weights = (np.concatenate(part) for part in zip(*sides, strict=True))
        return -((distance / self.width) ** self.exponent), weights


def _reaches(z: ArrayLike) -> tuple[NDArray, NDArray]:
    """How far it is from z to both ends of [0, 1]."""
    z = np.asarray(z, dtype=float)
    return z, 1 - z


def _panels(length: float, width: float) -> tuple[NDArray, NDArray]:
    """Gauss-Legendre points and weights on [0, length], in panels that double from `width` on."""
    edges = [0.0, *(width * 2**i for i in range(60) if width * 2**i < length), length]
    x, w = np.polynomial.legendre.leggauss(POINTS)
    low, high = np.array(edges[:-1])[:, None], np.array(edges[1:])[:, None]
    return (low + (high - low) * (1 + x) / 2).ravel(), ((high - low) / 2 * w).ravel()
