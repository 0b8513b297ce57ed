"""The beta-VAE, as data."""

from pydantic import Field, PositiveFloat

from demix.specs.networks.outputs import OutputSpec
from demix.specs.objectives.common.vae import VAESpec


class BetaVAESpec(VAESpec):
    """Beta-VAE on both frames of a pair, in the form of the SlowVAE code: 2 R + beta K_N."""

    beta: PositiveFloat = Field(8.0, description="weight of the divergence from N(0, 1)")

    def conditional_label(self, output: OutputSpec) -> str:
        """It models no conditional."""
        return "none (β-VAE)"
