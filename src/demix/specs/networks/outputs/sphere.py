"""Codes on a sphere, as data."""

from pydantic import Field, PositiveFloat

from demix.specs.networks.outputs import OutputSpec


class SphereOutputSpec(OutputSpec):
    """y / |y| times the radius."""

    radius: PositiveFloat = 1.0
    learnable: bool = Field(False, description="the radius is trained, starting from `radius`")
