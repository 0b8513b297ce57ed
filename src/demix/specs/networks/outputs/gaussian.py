"""Posteriors, as data."""

from typing import ClassVar

from demix.specs.networks.outputs import OutputSpec


class GaussianOutputSpec(OutputSpec):
    """Mean and log-variance of every code: the posterior of a VAE, whose mean is the code that is scored."""

    numbers_a_code: ClassVar[int] = 2

    @property
    def label(self) -> str:
        return "Unbounded"
