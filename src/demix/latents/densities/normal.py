"""The normal density with independent coordinates."""

from dataclasses import dataclass

import torch
from torch import Tensor

from demix.latents.densities.common.base import Density


@dataclass(frozen=True)
class Normal(Density):
    """Density prop. to exp(-|x|^2 / (2 std^2)).

    Args:
        std: standard deviation of every coordinate.
    """

    std: float

    def noise(self, like: Tensor, generator: torch.Generator) -> Tensor:
        """Normal with standard deviation `std`, shape of `like`."""
        return torch.empty_like(like).normal_(0.0, self.std, generator=generator)

    def in_box(self, center: Tensor, low: float, high: float, generator: torch.Generator) -> Tensor:
        """Truncated to [low, high] by inverting the CDF, in double precision. The centre has to lie in the box."""
        mean = center.double()
        below = torch.special.ndtr((low - mean) / self.std)
        above = torch.special.ndtr((high - mean) / self.std)
        u = torch.empty_like(mean).uniform_(generator=generator)
        sample = mean + self.std * torch.special.ndtri(below + u * (above - below))
        return sample.clamp(low, high).to(center.dtype)  # rounding alone can leave the box
