"""A convolutional decoder for small images, that of a VAE."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from demix.networks.common.halving import HALVING
from demix.networks.common.initialization import he_normal, torch_default
from demix.networks.common.uninitialized import Linear, TransposedConvolution


class ConvDecoder(nn.Module):
    """A linear layer, a transposed convolution to the smallest image, others that double it; ReLU between them.

    The decoder of the SlowVAE code, the encoder mirrored. The linear layer is He normal with zero biases; transposed
    convolutions have PyTorch's own initialisation, since the code's initialiser does not reach them.

    Args:
        observation_shape: channels, height and width of its images.
        dim: number of codes.
        features: units of the linear layer.
        channels: of the images from the smallest on.
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
        doublings = [TransposedConvolution(a, b, **HALVING) for a, b in pairwise([*channels, observation_shape[0]])]
        self.linear = Linear(dim, features)
        first = TransposedConvolution(features, channels[0], kernel_size=smallest)
        self.convolutions = nn.ModuleList([first, *doublings])
        with torch.no_grad():
            he_normal(self.linear, generator)
            for layer in self.convolutions:
                torch_default(layer, generator)

    def forward(self, z: Tensor) -> Tensor:
        """Logits of pixels (batch, channels, height, width) for codes (batch, dim)."""
        x = nn.functional.relu(self.linear(z))[:, :, None, None]
        for layer in self.convolutions[:-1]:
            x = nn.functional.relu(layer(x))
        return self.convolutions[-1](x)
