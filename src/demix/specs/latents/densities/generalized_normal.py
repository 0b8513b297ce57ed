"""The generalised normal density, as data."""

from pydantic import Field, PositiveFloat

from demix.specs.latents.densities import DensitySpec


class GeneralizedNormalSpec(DensitySpec):
    """Density prop. to exp(-sum_k (|x_k| / scale)^exponent)."""

    exponent: PositiveFloat = Field(description="the papers' beta: 1 is Laplace, larger has lighter tails")
    scale: PositiveFloat = Field(description="the papers' lambda")

    @property
    def label(self) -> str:
        return f"GenNorm(β={self.exponent:g}; λ={self.scale:g})"
