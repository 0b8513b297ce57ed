"""Random pictures of 3DIdent as a figure, as data."""

from pydantic import Field

from demix.specs.datasets.gallery import GallerySpec
from demix.specs.figures.kinds import FigureSpec


class ThreeDIdentGallerySpec(FigureSpec):
    """Random pictures."""

    pictures: GallerySpec = Field(GallerySpec(), description="what is rendered")
