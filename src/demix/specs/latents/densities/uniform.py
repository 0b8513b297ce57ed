"""The uniform density, as data."""

from typing import ClassVar

from demix.specs.latents.densities import DensitySpec


class UniformSpec(DensitySpec):
    """Constant density on the space."""

    spaces: ClassVar[frozenset[str]] = frozenset({"sphere", "box"})

    @property
    def label(self) -> str:
        return "Uniform"
