"""Densities of latents, as data: their names, parameters and the spaces they live on.

Conventions (those of the authors' code; the papers print only a letter):

    uniform              constant density
    vmf                  prop. to exp(concentration * <mean, z>), on the unit sphere
    normal               prop. to exp(-|x|^2 / (2 std^2)); std is the standard deviation of a coordinate
    laplace              prop. to exp(-|x|_1 / scale); standard deviation sqrt(2) * scale
    generalized_normal   prop. to exp(-sum_k (|x_k| / scale)^exponent)

`generalized_normal` with exponent 2 is *not* `normal` with std = scale: its standard deviation is scale / sqrt(2).
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, NonNegativeFloat, PositiveFloat

from demix.specs.base import Component, named


class Uniform(Component):
    """Constant density on the space."""

    implementation: ClassVar[str] = "demix.densities.uniform:Uniform"
    kind: Literal["uniform"] = "uniform"

    @property
    def label(self) -> str:
        return "Uniform"


class VonMisesFisher(Component):
    """Density prop. to exp(concentration * <mean, z>) on the unit sphere; concentration 0 is uniform."""

    implementation: ClassVar[str] = "demix.densities.vmf:VonMisesFisher"
    kind: Literal["vmf"] = "vmf"
    concentration: NonNegativeFloat = Field(description="kappa; larger is narrower")

    @property
    def label(self) -> str:
        return f"vMF(κ={self.concentration:g})"


class Normal(Component):
    """Density prop. to exp(-|x|^2 / (2 std^2))."""

    implementation: ClassVar[str] = "demix.densities.normal:Normal"
    kind: Literal["normal"] = "normal"
    std: PositiveFloat = Field(description="standard deviation of every coordinate")

    @property
    def label(self) -> str:
        return f"Normal(σ={self.std:g})"


class Laplace(Component):
    """Density prop. to exp(-|x|_1 / scale)."""

    implementation: ClassVar[str] = "demix.densities.laplace:Laplace"
    kind: Literal["laplace"] = "laplace"
    scale: PositiveFloat = Field(description="the papers' lambda; std is sqrt(2) times it")

    @property
    def label(self) -> str:
        return f"Laplace(λ={self.scale:g})"


class GeneralizedNormal(Component):
    """Density prop. to exp(-sum_k (|x_k| / scale)^exponent)."""

    implementation: ClassVar[str] = "demix.densities.generalized_normal:GeneralizedNormal"
    kind: Literal["generalized_normal"] = "generalized_normal"
    exponent: PositiveFloat = Field(description="the papers' beta: 1 is Laplace, larger has lighter tails")
    scale: PositiveFloat = Field(description="the papers' lambda")

    @property
    def label(self) -> str:
        return f"GenNorm(β={self.exponent:g}; λ={self.scale:g})"


Density = Annotated[
    Annotated[Uniform | VonMisesFisher | Normal | Laplace | GeneralizedNormal, Field(discriminator="kind")],
    named,
]

DENSITIES_OF_SPACE: dict[str, frozenset[str]] = {
    "sphere": frozenset({"uniform", "vmf", "normal", "laplace", "generalized_normal"}),
    "box": frozenset({"uniform", "normal", "laplace", "generalized_normal"}),
    "unbounded": frozenset({"normal", "laplace", "generalized_normal"}),
}
