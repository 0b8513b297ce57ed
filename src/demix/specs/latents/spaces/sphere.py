"""The unit sphere, as data."""

from demix.specs.latents.spaces import SpaceSpec


class SphereSpec(SpaceSpec):
    """The unit sphere in R^dim."""
