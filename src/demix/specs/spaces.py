"""Latent spaces, as data."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from demix.specs.base import Component, named


class Sphere(Component):
    """The unit sphere in R^dim."""

    implementation: ClassVar[str] = "demix.spaces:Sphere"
    kind: Literal["sphere"] = "sphere"

    @property
    def label(self) -> str:
        return "Sphere"


class Box(Component):
    """The hyperrectangle [low, high]^dim."""

    implementation: ClassVar[str] = "demix.spaces:Box"
    kind: Literal["box"] = "box"
    low: float = 0.0
    high: float = 1.0

    @model_validator(mode="after")
    def _not_empty(self) -> "Box":
        if self.low >= self.high:
            raise ValueError(f"low must be below high, got low={self.low} and high={self.high}")
        return self

    @property
    def label(self) -> str:
        return "Box"


class Unbounded(Component):
    """R^dim."""

    implementation: ClassVar[str] = "demix.spaces:Unbounded"
    kind: Literal["unbounded"] = "unbounded"

    @property
    def label(self) -> str:
        return "Unbounded"


Space = Annotated[Annotated[Sphere | Box | Unbounded, Field(discriminator="kind")], named]
