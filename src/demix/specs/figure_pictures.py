"""Pictures that are rendered for a figure, as data."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from demix.specs.base import named_or
from demix.specs.pictures import LATENTS, RawLatent, Rendering


class Traversals(Rendering):
    """One latent at a time takes several values while the others stay at 0."""

    implementation: ClassVar[str] = "demix.datasets.figure_latents:Traversals"
    kind: Literal["traversals"] = "traversals"
    values: tuple[RawLatent, ...] = Field(
        (-1.0, -1 / 3, 1 / 3, 1.0), min_length=1, description="raw values, from the top row to the bottom row"
    )

    def counts(self) -> dict[str, int]:
        """Number of pictures by split: there is one."""
        return {"all": len(self.values) * len(LATENTS)}


class Gallery(Rendering):
    """Random pictures."""

    implementation: ClassVar[str] = "demix.datasets.figure_latents:Gallery"
    kind: Literal["gallery"] = "gallery"
    columns: PositiveInt = Field(8, description="pictures side by side")
    rows: PositiveInt = Field(4, description="rows of them")
    seed: NonNegativeInt = Field(0, description="of the latents")

    def counts(self) -> dict[str, int]:
        """Number of pictures by split: there is one."""
        return {"all": self.columns * self.rows}


TraversalPictures = Annotated[Traversals, named_or("traversals")]
GalleryPictures = Annotated[Gallery, named_or("gallery")]
