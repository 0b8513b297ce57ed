"""Convolutions that halve or double a picture, and how their weights are drawn."""

import math
from typing import Any

import torch
from torch import nn

from demix.networks.common.undrawn import Undrawn

HALVING: dict[str, Any] = {"kernel_size": 4, "stride": 2, "padding": 1}
"""A convolution with it halves a picture, a transposed one doubles it."""


class Conv(Undrawn, nn.Conv2d):
    """A convolution without weights yet."""


class Transposed(Undrawn, nn.ConvTranspose2d):
    """A transposed convolution without weights yet."""


def he_normal(layer: Any, generator: torch.Generator) -> None:
    """He normal weights (fan-in, ReLU), zero biases."""
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu", generator=generator)
    layer.bias.zero_()


def torch_default(layer: Any, generator: torch.Generator) -> None:
    """Weights and biases uniform in +-1 / sqrt(fan_in), with torch's fan_in for this layer."""
    bound = 1 / math.sqrt(layer.weight[0].numel())
    layer.weight.uniform_(-bound, bound, generator=generator)
    layer.bias.uniform_(-bound, bound, generator=generator)
