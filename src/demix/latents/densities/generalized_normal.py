"""The generalised normal density with independent coordinates."""

from dataclasses import dataclass

import torch
from torch import Tensor

from demix.latents.densities.common.base import Density


@dataclass(frozen=True)
class GeneralizedNormal(Density):
    """Density prop. to exp(-sum_k (|x_k| / scale)^exponent).

    Args:
        exponent: the papers' beta.
        scale: the papers' lambda; the standard deviation of a coordinate is
            scale * sqrt(Gamma(3 / exponent) / Gamma(1 / exponent)).
    """

    exponent: float
    scale: float

    def noise(self, like: Tensor, generator: torch.Generator) -> Tensor:
        """scale * sign * G^(1/exponent) with G ~ Gamma(1/exponent, 1), shape of `like`."""
        shape = torch.full_like(like, 1 / self.exponent)
        size = torch._standard_gamma(shape, generator=generator).pow(1 / self.exponent)
        sign = torch.empty_like(like).bernoulli_(0.5, generator=generator).mul_(2).sub_(1)
        return self.scale * sign * size
