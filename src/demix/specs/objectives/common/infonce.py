"""What specs of the contrastive objectives share."""

from typing import Literal

from pydantic import Field, PositiveFloat

from demix.specs.base import Spec
from demix.specs.objectives import ObjectiveSpec


class AnnealingSpec(Spec):
    """Another temperature for the first part of training; no published run has one."""

    tau: PositiveFloat = Field(description="temperature until then")
    until: float = Field(gt=0, lt=1, description="fraction of the steps")


class InfoNCESpec(ObjectiveSpec):
    """What the contrastive objectives share. The defaults produced the published numbers."""

    tau: PositiveFloat = Field(1.0, description="temperature")
    self_negative: bool = Field(True, description="every sample is one of its own negatives")
    negatives_meet: Literal["anchor", "positive"] = Field(
        "anchor", description="which sample of a pair the negatives are compared with"
    )
    annealing: AnnealingSpec | None = None
