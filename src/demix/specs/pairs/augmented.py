"""Augmented views of one image, as data."""

from pydantic import Field

from demix.specs.datasets import DatasetSpec
from demix.specs.pairs import PairLawSpec


class AugmentedSpec(PairLawSpec):
    """Two random views of one image: crop, colour jitter, grayscale (ICML 2021, Appendix A.2.3)."""

    smallest_crop: float = Field(0.08, gt=0, le=1, description="least share of the area that a crop keeps")
    strength: float = Field(1.0, ge=0, le=1.25, description="of the colour jitter, as a multiple of 0.8, 0.8, 0.8, 0.2")
    jitter: float = Field(0.8, ge=0, le=1, description="probability of the colour jitter")
    grayscale: float = Field(0.2, ge=0, le=1, description="probability of grey images")
    flip: bool = Field(False, description="flip half of the views horizontally, which the paper does not mention")

    def check(self, data: DatasetSpec) -> None:
        """Refuse images without colours."""
        if data.shape[0] != 3:
            raise ValueError(f"pairs augmented need images of 3 channels, and data set {data.kind} has {data.shape[0]}")

    @property
    def label(self) -> str:
        return "augmentations"
