"""What specs of 3DIdent share (ICML 2021, Section 4.3)."""

from typing import Annotated, ClassVar

from pydantic import Field

from demix.specs.datasets import DatasetSpec
from demix_render.scene import LATENT_NAMES
from demix_render.scene import LatentName as LatentName

LATENTS = LATENT_NAMES
"""Columns of the latents in raw units, each uniform on [-1, 1]: place, Euler angles, spotlight's angle, three hues."""

SPLITS = ("train", "test")

SIZE = 224
"""Height and width of the published images in pixels."""

RawLatent = Annotated[float, Field(ge=-1, le=1)]


class ThreeDIdentSpec(DatasetSpec):
    """Images of a teapot with ten latents, some to train on and some to score on."""

    source: ClassVar[str] = "threedident"
    constants: ClassVar[tuple[str, ...]] = ("authors",)
    train: int = Field(250_000, ge=4, description="images to train on")
    test: int = Field(25_000, ge=4, description="images to score on")

    @property
    def label(self) -> str:
        return "3DIdent"

    @property
    def labels(self) -> dict[str, str]:
        """Those of its latents."""
        return {"space": "Box", "marginal": "Uniform"}

    @property
    def pixels(self) -> int:
        """Height and width of an image."""
        raise NotImplementedError

    @property
    def shape(self) -> tuple[int, int, int]:
        return 3, self.pixels, self.pixels

    @property
    def factors(self) -> tuple[str, ...]:
        return LATENTS

    @property
    def evaluation_splits(self) -> tuple[str, ...]:
        return tuple(reversed(SPLITS))

    def counts(self) -> dict[str, int]:
        """Number of images by split."""
        return {"train": self.train, "test": self.test}
