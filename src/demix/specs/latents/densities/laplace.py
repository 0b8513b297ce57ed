"""The Laplace density, as data."""

from pydantic import Field, PositiveFloat

from demix.specs.latents.densities import DensitySpec


class LaplaceSpec(DensitySpec):
    """Density prop. to exp(-|x|_1 / scale)."""

    scale: PositiveFloat = Field(description="the papers' lambda; std is sqrt(2) times it")

    @property
    def label(self) -> str:
        return f"Laplace(λ={self.scale:g})"
