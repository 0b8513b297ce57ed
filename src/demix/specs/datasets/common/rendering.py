"""What specs of rendered images share."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, PositiveFloat, PositiveInt

from demix.specs.base import Component
from demix_render.scene import PRESETS


class RenderingSpec(Component):
    """How Blender's Cycles renders images."""

    programs: ClassVar[tuple[str, ...]] = ("demix_render.blender",)
    libraries: ClassVar[tuple[str, ...]] = ()  # Blender's version is a constant of the program
    source: ClassVar[str] = "threedident"

    preset: Literal["paper", "fast", "smoke"] = Field("paper", description="quality of the images")
    size: Annotated[int, Field(ge=8)] | None = Field(None, description="height and width; none: the preset's")
    samples: PositiveInt | None = Field(None, description="of Cycles for a pixel; none: the preset's")
    hue_mode: Literal["published", "corrected"] = Field(
        "published",
        description="published: negative hues as the authors' script converts them, constant on a part of the range; "
        "corrected: modulo a full circle",
    )
    z_scale: PositiveFloat = Field(3.0, description="height of the object at a raw latent of 1")

    @property
    def pixels(self) -> int:
        """Height and width of an image."""
        return self.size or PRESETS[self.preset].size

    @property
    def shape(self) -> tuple[int, int, int]:
        """Channels, height and width of an image."""
        return 3, self.pixels, self.pixels

    @property
    def samples_a_pixel(self) -> int:
        """Samples of Cycles for a pixel."""
        return self.samples or PRESETS[self.preset].samples

    @property
    def shards(self) -> dict[str, int]:
        """Number of images by split."""
        raise NotImplementedError
