"""Initial weights of layers, drawn from a generator."""

import math
from typing import Any

import torch
from torch import nn


def he_normal(layer: Any, generator: torch.Generator, slope: float = 0.0) -> None:
    """He normal weights (fan-in, leaky ReLU of that slope), zero biases: the signal keeps its size through the layers.

    Args:
        layer: a linear layer or a convolution.
        slope: negative slope of the activation that follows; 0 for a ReLU.
    """
    nn.init.kaiming_normal_(layer.weight, a=slope, generator=generator)
    layer.bias.zero_()


def torch_default(layer: Any, generator: torch.Generator) -> None:
    """PyTorch's own: weights and biases uniform in +-1 / sqrt(fan_in), with its fan_in for this kind of layer."""
    bound = 1 / math.sqrt(layer.weight[0].numel())
    layer.weight.uniform_(-bound, bound, generator=generator)
    layer.bias.uniform_(-bound, bound, generator=generator)
