"""Random images of 3DIdent, as data."""

from pydantic import Field, NonNegativeInt, PositiveInt

from demix.specs.datasets import DatasetSpec
from demix.specs.datasets.common.rendering import RenderingSpec


class GallerySpec(RenderingSpec, DatasetSpec):
    """Random images for a figure."""

    columns: PositiveInt = Field(8, description="images in a row")
    rows: PositiveInt = Field(4, description="rows of them")
    seed: NonNegativeInt = Field(0, description="of the latents")

    @property
    def shards(self) -> dict[str, int]:
        """There is one split."""
        return {"all": self.columns * self.rows}
