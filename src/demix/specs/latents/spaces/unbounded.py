"""R^dim, as data."""

from demix.specs.latents.spaces import SpaceSpec


class UnboundedSpec(SpaceSpec):
    """R^dim."""
