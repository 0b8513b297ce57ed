"""Alignment and uniformity, as data."""

from pydantic import Field

from demix.specs.networks.outputs import OutputSpec
from demix.specs.objectives import ObjectiveSpec


class AlignUniformSpec(ObjectiveSpec):
    """L_AU(alpha, p) = alpha * uniformity + (1 - alpha) * alignment: 2020 workshop paper, Sec. 2, corrected."""

    alpha: float = Field(gt=0, lt=1, description="weight of uniformity")
    exponent: float = Field(ge=1, description="p of the distances; no root is taken")
    self_negative: bool = Field(True, description="every sample is one of its own negatives")
    drop_last: bool = Field(False, description="leave out the last code, as the public code of this loss would")

    def conditional_label(self, output: OutputSpec) -> str:
        """Weight and exponent."""
        return f"L_AU({self.alpha:g}, {self.exponent:g})"
