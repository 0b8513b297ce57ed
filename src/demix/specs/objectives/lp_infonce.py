"""InfoNCE with a power of the Lp distance, as data."""

from pydantic import Field

from demix.specs.networks.outputs import OutputSpec
from demix.specs.objectives.common.infonce import InfoNCESpec


class LpInfoNCESpec(InfoNCESpec):
    """InfoNCE with minus a power of the Lp distance: ICML 2021, Eq. (6)."""

    exponent: float = Field(ge=1, description="p; 1 for a Laplace conditional, 2 for a normal one")
    power: bool = Field(True, description="sum of |.|^p as in the code; false: its p-th root, the norm itself")

    def conditional_label(self, output: OutputSpec) -> str:
        """As the papers name it."""
        return {1.0: "Laplace", 2.0: "Normal"}.get(self.exponent, f"GenNorm(β={self.exponent:g})")
