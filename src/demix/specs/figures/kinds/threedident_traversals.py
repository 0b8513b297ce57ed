"""Traversals of the latents of 3DIdent as a figure, as data."""

from typing import ClassVar

from pydantic import Field

from demix.specs.datasets.traversals import TraversalsSpec
from demix.specs.figures.kinds import FigureSpec


class ThreeDIdentTraversalsSpec(FigureSpec):
    """Images in which one latent at a time varies: a column a latent, a row a value (ICML 2021, Figure 3)."""

    needs: ClassVar[frozenset[str]] = frozenset({"shards"})
    images: TraversalsSpec = Field(TraversalsSpec(), description="what is rendered")

    @property
    def rendered(self) -> TraversalsSpec:
        return self.images
