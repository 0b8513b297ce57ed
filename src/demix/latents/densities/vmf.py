"""The von Mises-Fisher density on the unit sphere."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from demix.latents.densities.common.base import Density


@dataclass(frozen=True)
class VonMisesFisher(Density):
    """Density prop. to exp(concentration * <center, z>) on the unit sphere.

    Args:
        concentration: kappa >= 0; 0 is the uniform density.
    """

    concentration: float

    def on_sphere(self, center: Tensor, generator: torch.Generator) -> Tensor:
        """One exact sample around every unit vector, shape (batch, dim), dim >= 2."""
        batch, dim = center.shape
        one_minus_cosine = self._one_minus_cosine(batch, dim, center.device, generator)[:, None]
        mean = center.double()
        tangent = torch.empty_like(center).normal_(generator=generator).double()
        tangent -= (tangent * mean).sum(-1, keepdim=True) * mean
        tangent = torch.nn.functional.normalize(tangent, dim=-1)
        sine = torch.sqrt(one_minus_cosine * (2 - one_minus_cosine))
        return ((1 - one_minus_cosine) * mean + sine * tangent).to(center.dtype)

    def _one_minus_cosine(self, batch: int, dim: int, device: torch.device, generator: torch.Generator) -> Tensor:
        """1 - <center, z> in double precision, shape (batch,), by the rejection scheme of Wood (1994).

        In terms of 1 - cosine nothing cancels at large concentrations. The symmetric Beta proposals come from
        a coordinate of a uniform point on the sphere: (1 + t) / 2 ~ Beta((dim-1)/2, (dim-1)/2). Of the other
        coordinates only the sum of squares matters, which is twice a Gamma((dim-1)/2) variable.
        """
        kappa, m = self.concentration, dim - 1
        b = m / (2 * kappa + math.hypot(2 * kappa, m))
        x0 = (1 - b) / (1 + b)
        one_minus_x0 = 2 * b / (1 + b)
        sample = torch.empty(batch, dtype=torch.float64, device=device)
        pending = torch.arange(batch, device=device)
        while pending.numel():
            first = torch.empty(pending.numel(), dtype=torch.float64, device=device).normal_(generator=generator)
            rest = 2 * torch._standard_gamma(torch.full_like(first, m / 2), generator=generator)
            z = (1 + first / torch.sqrt(first.square() + rest)) / 2
            draw = 2 * b * z / (1 - (1 - b) * z)  # 1 - w with w = (1 - (1+b) z) / (1 - (1-b) z)
            ratio = (one_minus_x0 + x0 * draw) / (one_minus_x0 * (1 + x0))
            log_accept = kappa * (one_minus_x0 - draw) + m * torch.log(ratio)
            accept = torch.empty_like(draw).uniform_(generator=generator).log() <= log_accept
            sample[pending[accept]] = draw[accept]
            pending = pending[~accept]
        return sample
