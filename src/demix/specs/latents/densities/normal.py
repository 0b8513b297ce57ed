"""The normal density, as data."""

from pydantic import Field, PositiveFloat

from demix.specs.latents.densities import DensitySpec


class NormalSpec(DensitySpec):
    """Density prop. to exp(-|x|^2 / (2 std^2))."""

    std: PositiveFloat = Field(description="standard deviation of every coordinate")

    @property
    def label(self) -> str:
        return f"Normal(σ={self.std:g})"
