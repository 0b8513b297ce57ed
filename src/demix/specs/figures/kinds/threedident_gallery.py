"""Random images of 3DIdent as a figure, as data."""

from typing import ClassVar

from pydantic import Field

from demix.specs.datasets.gallery import GallerySpec
from demix.specs.figures.kinds import FigureSpec


class ThreeDIdentGallerySpec(FigureSpec):
    """Random images."""

    needs: ClassVar[frozenset[str]] = frozenset({"shards"})
    images: GallerySpec = Field(GallerySpec(), description="what is rendered")

    @property
    def rendered(self) -> GallerySpec:
        return self.images
