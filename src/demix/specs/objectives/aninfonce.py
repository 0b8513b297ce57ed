"""AnInfoNCE, as data."""

from typing import Literal

from pydantic import Field, PositiveFloat

from demix.specs.networks.outputs import OutputSpec
from demix.specs.objectives import ObjectiveSpec


class AnInfoNCESpec(ObjectiveSpec):
    """InfoNCE with a learned diagonal metric: AnInfoNCE 2024, Eq. (3). `rate_factors: {raw_metric: 10}` trains the
    metric at ten times the learning rate, as published."""

    variant: Literal["symmetric", "code", "paper"] = Field(
        "symmetric",
        description="symmetric: both views meet the other pairs' samples in both views; code: the public code, whose "
        "second view takes its cross terms from the first; paper: the anchors alone",
    )
    half: bool = Field(True, description="the factor 1/2 in the similarity, as in the code; the paper has none")
    unit_norm: bool = Field(True, description="divide codes by their length in the loss")
    metric: PositiveFloat | None = Field(
        None, description="weight of every coordinate at the start; none: softplus of a normal with deviation 0.1"
    )
    learnable: bool = Field(True, description="false: a fixed metric; 1 / tau on the unit sphere is plain InfoNCE")

    def conditional_label(self, output: OutputSpec) -> str:
        """A normal density restricted to the space, with the metric as its inverse covariance."""
        return "Normal(Λ⁻¹)"
