"""Layers without weights yet: a network draws them from a generator, never from global random state."""

from torch import nn


class Undrawn:
    """A layer without weights yet: torch's own would draw them from the global generator."""

    def reset_parameters(self) -> None:
        """Leave it to the network's initialisation."""


class Linear(Undrawn, nn.Linear):
    """A linear layer without weights yet."""


class Convolution(Undrawn, nn.Conv2d):
    """A convolution without weights yet."""


class TransposedConvolution(Undrawn, nn.ConvTranspose2d):
    """A transposed convolution without weights yet."""
