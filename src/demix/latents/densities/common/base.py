"""What every density can do on every space it lives on."""

import torch
from torch import Tensor

MAX_ROUNDS = 10_000


class Density:
    """A density around a centre. Subclasses give its noise; where an exact sampler of a space exists, that too.

    Every method returns one sample for every row of `center`, of the same shape, dtype and device.
    """

    def noise(self, like: Tensor, generator: torch.Generator) -> Tensor:
        """Independent coordinates of the centred density on R^dim, shape of `like`."""
        raise NotImplementedError(f"{type(self).__name__} has no density on R^dim")

    def on_sphere(self, center: Tensor, generator: torch.Generator) -> Tensor:
        """Noise around unit vectors (batch, dim), divided by its length: a projection, not a restriction."""
        return torch.nn.functional.normalize(center + self.noise(center, generator), dim=-1)

    def in_box(self, center: Tensor, low: float, high: float, generator: torch.Generator) -> Tensor:
        """The density truncated to [low, high] in every coordinate, by rejection of single coordinates.

        Coordinates are independent, so redrawing those outside, and only those, is the product of the
        truncated one-dimensional densities. Nothing is clipped or reflected.

        Raises:
            RuntimeError: the box catches so little of the density that 10,000 rounds do not fill it.
        """
        flat = center.reshape(-1)
        sample = torch.empty_like(flat)
        pending = torch.arange(flat.numel(), device=flat.device)
        for _ in range(MAX_ROUNDS):
            draw = flat[pending] + self.noise(flat[pending], generator)
            inside = (draw >= low) & (draw <= high)
            sample[pending[inside]] = draw[inside]
            pending = pending[~inside]
            if pending.numel() == 0:
                return sample.reshape(center.shape)
        raise RuntimeError(f"{self!r} hardly ever falls into [{low}, {high}]: {pending.numel()} coordinates are left")

    def unbounded(self, center: Tensor, generator: torch.Generator) -> Tensor:
        """Noise around the centre on R^dim."""
        return center + self.noise(center, generator)
