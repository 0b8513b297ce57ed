"""Codes on R^dim, as data."""

from demix.specs.networks.outputs import OutputSpec


class UnboundedOutputSpec(OutputSpec):
    """y as it is."""
