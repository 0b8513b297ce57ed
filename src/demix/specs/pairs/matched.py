"""Pairs that are matched to images, as data."""

from typing import Literal

from pydantic import Field, model_validator

from demix.specs.datasets import DatasetSpec
from demix.specs.latents.densities import Density
from demix.specs.latents.densities.normal import NormalSpec
from demix.specs.pairs import PairLawSpec


class MatchedSpec(PairLawSpec):
    """Two images of nearby factors: a pair of the conditional, each matched to the nearest image there is."""

    conditional: Density = Field(
        NormalSpec(std=0.1),
        description="around the first, truncated to the box [-1, 1] in every factor, where they must lie",
    )
    anchors: Literal["matched", "data"] = Field(
        "matched",
        description="matched: the first is drawn in the box and matched too, the second around the draw, as in the "
        "code; data: the first is an image, the second around its factors, as the paper has it",
    )
    neighbours: Literal["exact", "ivf_hnsw"] = Field(
        "exact", description="exact: a k-d tree; ivf_hnsw: the paper's approximate index, which needs faiss-cpu"
    )

    @model_validator(mode="after")
    def _lives_in_the_box(self) -> "MatchedSpec":
        if "box" not in self.conditional.spaces:
            raise ValueError(f"conditional: {self.conditional.kind} does not live in a box")
        return self

    def check(self, data: DatasetSpec) -> None:
        """Refuse a data set without factors."""
        if not data.factors:
            raise ValueError(f"pairs matched need factors, and data set {data.kind} knows none")

    @property
    def label(self) -> str:
        return self.conditional.label
