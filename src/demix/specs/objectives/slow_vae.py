"""SlowVAE, as data."""

from pydantic import Field, PositiveFloat

from demix.specs.networks.outputs import OutputSpec
from demix.specs.objectives.common.vae import VAESpec


class SlowVAESpec(VAESpec):
    """SlowVAE (Klindt et al. 2021) in the form of its code: 2 R + beta K_N + gamma K_L."""

    beta: PositiveFloat = Field(1.0, description="weight of the divergence from N(0, 1)")
    gamma: PositiveFloat = Field(10.0, description="weight of the divergence from a Laplace density around the other")
    rate: PositiveFloat = Field(6.0, description="of that Laplace density, 1 / scale")

    def conditional_label(self, output: OutputSpec) -> str:
        """The density around the other frame's mean."""
        return "Laplace (SlowVAE)"
