"""A convolutional encoder for small images."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from demix.networks.common.halving import HALVING
from demix.networks.common.initialization import he_normal
from demix.networks.common.uninitialized import Convolution, Linear


class ConvEncoder(nn.Module):
    """Convolutions that halve the image, one that takes what is left, a linear layer; ReLU between them.

    ICML 2021, Table 3, in the authors' code ("beta-VAE H"): for images of 64 x 64 heights are 32, 16, 8, 4, 1.
    Weights are He normal (fan-in), biases 0.

    Args:
        observation_shape: channels, height and width; height and width are equal.
        dim: numbers that it puts out.
        channels: of the convolutions with kernel 4 and stride 2.
        features: channels of the one that takes all that is left.
        generator: source of the initial weights, on the CPU.
    """

    def __init__(
        self,
        observation_shape: Sequence[int],
        dim: int,
        *,
        channels: Sequence[int] = (32, 32, 64, 64),
        features: int = 256,
        generator: torch.Generator,
    ):
        super().__init__()
        left = observation_shape[1] // 2 ** len(channels)
        halvings = [Convolution(a, b, **HALVING) for a, b in pairwise([observation_shape[0], *channels])]
        self.convolutions = nn.ModuleList([*halvings, Convolution(channels[-1], features, kernel_size=left)])
        self.linear = Linear(features, dim)
        with torch.no_grad():
            for layer in (*self.convolutions, self.linear):
                he_normal(layer, generator)

    def forward(self, x: Tensor) -> Tensor:
        """Outputs (batch, dim) for images (batch, channels, height, width)."""
        for layer in self.convolutions:
            x = nn.functional.relu(layer(x))
        return self.linear(x.flatten(1))
