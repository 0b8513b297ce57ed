"""Codes in a box, as data."""

from pydantic import Field, PositiveFloat

from demix.specs.networks.outputs import OutputSpec


class BoxOutputSpec(OutputSpec):
    """sigmoid(y) times one bound per coordinate: the box [0, bound_k]^dim.

    The paper calls it "L-infinity normalisation"; this is what the authors' code does.
    """

    bound: PositiveFloat = Field(1.0, description="upper end of every coordinate, at the start if learnable")
    learnable: bool = True
