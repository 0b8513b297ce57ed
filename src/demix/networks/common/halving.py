"""Layers that halve or double small images."""

from typing import Any

from demix.specs.networks.common.sizes import CONV_KERNEL

HALVING: dict[str, Any] = {"kernel_size": CONV_KERNEL, "stride": 2, "padding": 1}
"""A convolution with it halves height and width, a transposed one doubles them."""
