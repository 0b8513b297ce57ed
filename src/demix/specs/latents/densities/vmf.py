"""The von Mises-Fisher density, as data."""

from typing import ClassVar

from pydantic import Field, NonNegativeFloat

from demix.specs.latents.densities import DensitySpec


class VonMisesFisherSpec(DensitySpec):
    """Density prop. to exp(concentration * <mean, z>) on the unit sphere; concentration 0 is uniform."""

    spaces: ClassVar[frozenset[str]] = frozenset({"sphere"})
    concentration: NonNegativeFloat = Field(description="kappa; larger is narrower")

    @property
    def label(self) -> str:
        return f"vMF(κ={self.concentration:g})"
