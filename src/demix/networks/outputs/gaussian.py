"""Posteriors: normal densities of codes."""

from torch import Tensor, nn


class GaussianOutput(nn.Identity):
    """Means and then log-variances of a posterior, (batch, 2 dim); its codes are the means.

    Args:
        dim: number of codes.
    """

    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def codes(self, y: Tensor) -> Tensor:
        """The means, (batch, dim)."""
        return y[:, : self.dim]
