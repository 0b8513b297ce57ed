"""The fully connected encoder of the synthetic problems."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from demix.networks.common.initialization import he_normal, torch_default
from demix.networks.common.uninitialized import Linear

CPU_ROWS = 1024
"""Rows at most that go through the layers together on a CPU: what lies between two layers stays in the cache."""


class MLP(nn.Module):
    """Fully connected encoder, leaky ReLU after every hidden layer, nothing after the last (ICML 2021, A.3).

    Args:
        observation_shape: shape of an observation, a vector: (size,).
        dim: number of latents; hidden widths are multiples of it.
        hidden: the multiples, from input to output.
        slope: negative slope of the leaky ReLU.
        initialization: "default" (PyTorch's Linear, as published), "kaiming" or "looks_linear".
        generator: source of the initial weights, on the CPU.
    """

    def __init__(
        self,
        observation_shape: Sequence[int],
        dim: int,
        *,
        hidden: Sequence[int] = (10, 50, 50, 50, 50, 10),
        slope: float = 0.01,
        initialization: str = "default",
        generator: torch.Generator,
    ):
        super().__init__()
        widths = [*observation_shape, *(multiple * dim for multiple in hidden), dim]
        layers = [Linear(a, b) for a, b in pairwise(widths)]
        self.slope = slope
        with torch.no_grad():
            INITIALIZATIONS[initialization](layers, slope, generator)
        self.layers = nn.ModuleList(layers)

    def forward(self, x: Tensor) -> Tensor:
        """Codes (batch, dim) of observations (batch, size)."""
        if x.is_cuda or len(x) <= CPU_ROWS:
            return self._codes(x)
        return torch.cat([self._codes(rows) for rows in x.tensor_split(-(-len(x) // CPU_ROWS))])

    def _codes(self, x: Tensor) -> Tensor:
        for layer in self.layers[:-1]:
            x = nn.functional.leaky_relu(layer(x), self.slope, inplace=True)
        return self.layers[-1](x)


def _default(layers: Sequence[nn.Linear], slope: float, generator: torch.Generator) -> None:
    for layer in layers:
        torch_default(layer, generator)


def _kaiming(layers: Sequence[nn.Linear], slope: float, generator: torch.Generator) -> None:
    for layer in layers:
        he_normal(layer, generator, slope)


def _looks_linear(layers: Sequence[nn.Linear], slope: float, generator: torch.Generator) -> None:
    """Mirrored orthogonal weights, zero biases: the network starts as an orthogonal linear map.

    First layer [A; -A], inner ones [V, -V; -V, V] / (1 + slope), last [C, -C] / (1 + slope): a pair of units
    carries u and -u, and leaky(u) - leaky(-u) = (1 + slope) u. (Balduzzi et al. 2017, "The shattered gradients
    problem".) Each layer rotates the signal by a random rotation of its own and first undoes that of the layer before,
    so that it always fills the leading coordinates and a narrower layer cuts nothing off.

    Raises:
        ValueError: a hidden width is odd, or half of it is less than the number of inputs.
    """
    rotation = torch.eye(layers[0].in_features)
    for position, layer in enumerate(layers):
        rows = layer.out_features
        first, last = position == 0, position == len(layers) - 1
        if not last and rows % 2:
            raise ValueError(f"initialization looks_linear needs even hidden widths, got {rows}")
        size = rows if last else rows // 2
        if size < layers[0].in_features:
            raise ValueError(
                f"initialization looks_linear has no room for {layers[0].in_features} inputs in {rows} units"
            )
        before, rotation = rotation, nn.init.orthogonal_(torch.empty(size, size), generator=generator)
        block = rotation @ torch.eye(size, len(before)) @ before.T
        if not first:
            block = torch.cat([block, -block], dim=1) / (1 + slope)
        layer.weight.copy_(block if last else torch.cat([block, -block], dim=0))
        layer.bias.zero_()


INITIALIZATIONS = {"default": _default, "kaiming": _kaiming, "looks_linear": _looks_linear}
