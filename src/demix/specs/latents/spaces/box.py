"""A hyperrectangle, as data."""

from pydantic import model_validator

from demix.specs.latents.spaces import SpaceSpec


class BoxSpec(SpaceSpec):
    """The hyperrectangle [low, high]^dim."""

    low: float = 0.0
    high: float = 1.0

    @model_validator(mode="after")
    def _not_empty(self) -> "BoxSpec":
        if self.low >= self.high:
            raise ValueError(f"low must be below high, got low={self.low} and high={self.high}")
        return self
