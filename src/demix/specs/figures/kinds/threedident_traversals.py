"""Traversals of the latents of 3DIdent as a figure, as data."""

from pydantic import Field

from demix.specs.datasets.traversals import TraversalsSpec
from demix.specs.figures.kinds import FigureSpec


class ThreeDIdentTraversalsSpec(FigureSpec):
    """Pictures in which one latent at a time varies: a column a latent, a row a value (ICML 2021, Figure 3)."""

    pictures: TraversalsSpec = Field(TraversalsSpec(), description="what is rendered")
