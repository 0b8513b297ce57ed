"""Codes on R^dim."""

from torch import nn


class UnboundedOutput(nn.Identity):
    """y as it is.

    Args:
        dim: number of codes.
    """

    def __init__(self, dim: int):
        super().__init__()
