"""The Laplace density with independent coordinates."""

from dataclasses import dataclass

import torch
from torch import Tensor

from demix.latents.densities.common.base import Density


@dataclass(frozen=True)
class Laplace(Density):
    """Density prop. to exp(-|x|_1 / scale).

    Args:
        scale: the papers' lambda; the standard deviation of a coordinate is sqrt(2) * scale.
    """

    scale: float

    def noise(self, like: Tensor, generator: torch.Generator) -> Tensor:
        """Difference of two exponentials, shape of `like`."""
        one = torch.empty_like(like).exponential_(generator=generator)
        other = torch.empty_like(like).exponential_(generator=generator)
        return self.scale * (one - other)

    def in_box(self, center: Tensor, low: float, high: float, generator: torch.Generator) -> Tensor:
        """Truncated to [low, high] by inverting the CDF, in double precision.

        Left and right of a centre within the box the density is a truncated exponential, each with a probability in
        proportion to what the box leaves of it. The centre has to lie in the box.
        """
        mean = center.double()
        left = -torch.expm1((low - mean) / self.scale)  # mass left of the centre, up to a factor
        right = -torch.expm1((mean - high) / self.scale)
        u = torch.empty_like(mean).uniform_(generator=generator) * (left + right)
        below = self.scale * torch.log1p(-u.clamp(max=left))
        above = -self.scale * torch.log1p(-(u - left).clamp(min=0))
        sample = mean + torch.where(u < left, below, above)
        return sample.clamp(low, high).to(center.dtype)  # rounding alone can leave the box
