"""The theorems as numbers, as data."""

from typing import ClassVar, Literal

from pydantic import (
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    field_validator,
    model_validator,
)

from demix.specs.base import Spec
from demix.specs.figures.kinds import FigureSpec
from demix.specs.latents.densities import Density
from demix.support.errors import unknown

LARGEST_EXACT = 200.0
"""Concentration up to which exact expectations at finite M are computed."""


IN_THE_BOX = ("laplace", "normal", "generalized_normal")
"""Kinds of the conditionals whose loss in the box is known."""


class SphereCaseSpec(Spec):
    """Theorem 1 on a sphere with a uniform marginal and an isometric encoder."""

    dim: int = Field(ge=2, description="of the space around the sphere, N in the papers")
    concentration: NonNegativeFloat = Field(le=LARGEST_EXACT, description="kappa of the pairs")
    model_concentration: PositiveFloat = Field(le=LARGEST_EXACT, description="k = radius^2 / tau of the model")


class MinimumCaseSpec(Spec):
    """Proposition 1: which concentration of the model has the smallest loss."""

    dim: int = Field(ge=2)
    concentration: PositiveFloat = Field(le=LARGEST_EXACT / 4, description="kappa of the pairs")
    negatives: PositiveInt = 1024


class MassCaseSpec(Spec):
    """A marginal whose mass to move is estimated by simulation too: of the sphere or of the box [0, 1]^dim."""

    dim: int = Field(10, ge=2)
    concentration: PositiveFloat | None = Field(None, description="of a von Mises-Fisher marginal on the sphere")
    std: PositiveFloat | None = Field(None, description="of a normal marginal in the box")

    @model_validator(mode="after")
    def _one_marginal(self) -> "MassCaseSpec":
        if (self.concentration is None) == (self.std is None):
            raise ValueError("give either concentration (sphere) or std (box)")
        return self


class TheorySpec(FigureSpec):
    """The theorems as numbers: simulations beside exact expectations."""

    folder: ClassVar[str] = "tables"
    seed: NonNegativeInt = Field(0, description="of all simulations")
    draws: PositiveInt = Field(2_000_000, description="similarities in a simulation: anchors times negatives")
    negatives: tuple[PositiveInt, ...] = Field(min_length=1, description="numbers of independent negatives M")
    sphere: tuple[SphereCaseSpec, ...] = Field((), description="cases of Theorem 1")
    minimum: tuple[MinimumCaseSpec, ...] = Field((), description="cases of Proposition 1")
    box: tuple[Density, ...] = Field((), description="conditionals of Theorem 3 on the box [0, 1]^dim")
    box_dims: tuple[Literal[1, 2], ...] = Field((1, 2), description="numbers of coordinates for Theorem 3")
    masses: tuple[MassCaseSpec, ...] = Field((), description="marginals whose mass to move is simulated")
    trained_dim: int = Field(10, ge=2, description="number of latents of the published runs")
    trained_negatives: PositiveInt = Field(6144, description="negatives of the published runs")

    @field_validator("box")
    @classmethod
    def _known_in_the_box(cls, box: tuple[Density, ...]) -> tuple[Density, ...]:
        for density in box:
            if density.kind not in IN_THE_BOX:
                raise ValueError(unknown("conditional of Theorem 3", density.kind, IN_THE_BOX))
        return box
