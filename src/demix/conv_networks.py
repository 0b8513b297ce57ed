"""Networks for small pictures: an encoder, and the decoder of a VAE."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

HALVING: dict[str, Any] = {"kernel_size": 4, "stride": 2, "padding": 1}
"""A convolution with it halves a picture, a transposed one doubles it."""


class ConvEncoder(nn.Module):
    """Convolutions that halve the picture, one that takes what is left, a linear layer; ReLU between them.

    ICML 2021, Table 3, in the authors' code ("beta-VAE H"): for pictures of 64 x 64 the sides are 32, 16, 8, 4, 1.
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
        halvings = [_Conv(a, b, **HALVING) for a, b in pairwise([observation_shape[0], *channels])]
        self.convolutions = nn.ModuleList([*halvings, _Conv(channels[-1], features, kernel_size=left)])
        self.linear = _Linear(features, dim)
        with torch.no_grad():
            for layer in (*self.convolutions, self.linear):
                _he_normal(layer, generator)

    def forward(self, x: Tensor) -> Tensor:
        """Outputs (batch, dim) for pictures (batch, channels, height, width)."""
        for layer in self.convolutions:
            x = nn.functional.relu(layer(x))
        return self.linear(x.flatten(1))


class ConvDecoder(nn.Module):
    """A linear layer, a transposed convolution to the smallest picture, others that double it; ReLU between them.

    The decoder of the SlowVAE code, the encoder mirrored. The linear layer is He normal with zero biases; transposed
    convolutions have PyTorch's own initialisation, since the code's initialiser does not reach them.

    Args:
        observation_shape: channels, height and width of its pictures.
        dim: number of codes.
        features: units of the linear layer.
        channels: of the pictures from the smallest on.
        generator: source of the initial weights, on the CPU.
    """

    def __init__(
        self,
        observation_shape: Sequence[int],
        dim: int,
        *,
        features: int = 256,
        channels: Sequence[int] = (64, 64, 32, 32),
        generator: torch.Generator,
    ):
        super().__init__()
        smallest = observation_shape[1] // 2 ** len(channels)
        doublings = [_Transposed(a, b, **HALVING) for a, b in pairwise([*channels, observation_shape[0]])]
        self.linear = _Linear(dim, features)
        self.convolutions = nn.ModuleList([_Transposed(features, channels[0], kernel_size=smallest), *doublings])
        with torch.no_grad():
            _he_normal(self.linear, generator)
            for layer in self.convolutions:
                _torch_default(layer, generator)

    def forward(self, z: Tensor) -> Tensor:
        """Logits of pixels (batch, channels, height, width) for codes (batch, dim)."""
        x = nn.functional.relu(self.linear(z))[:, :, None, None]
        for layer in self.convolutions[:-1]:
            x = nn.functional.relu(layer(x))
        return self.convolutions[-1](x)


class _Undrawn:
    """A layer without weights yet: torch's own would draw them from the global generator."""

    def reset_parameters(self) -> None:
        """Leave it to the network's initialisation."""


class _Conv(_Undrawn, nn.Conv2d):
    pass


class _Transposed(_Undrawn, nn.ConvTranspose2d):
    pass


class _Linear(_Undrawn, nn.Linear):
    pass


def _he_normal(layer: Any, generator: torch.Generator) -> None:
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu", generator=generator)
    layer.bias.zero_()


def _torch_default(layer: Any, generator: torch.Generator) -> None:
    """Weights and biases uniform in +-1 / sqrt(fan_in), in torch's reckoning of fan_in for this layer."""
    bound = 1 / math.sqrt(layer.weight[0].numel())
    layer.weight.uniform_(-bound, bound, generator=generator)
    layer.bias.uniform_(-bound, bound, generator=generator)
