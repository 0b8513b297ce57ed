"""3DIdent, as data: pictures of a teapot, rendered here, downloaded or from a folder (ICML 2021, Section 4.3)."""

from typing import Annotated, ClassVar, Literal, get_args

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, StringConstraints, field_validator

from demix.specs.base import Component, named
from demix_render.scene import PRESETS

LatentName = Literal["x", "y", "z", "alpha", "beta", "gamma", "spot", "hue_object", "hue_spot", "hue_ground"]
LATENTS: tuple[str, ...] = get_args(LatentName)
"""Columns of the latents in raw units, each uniform on [-1, 1]: place, Euler angles, spotlight's angle, three hues."""

SPLITS = ("train", "test")

SIZE = 224
"""Height and width of the published pictures in pixels."""

Md5 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]
RawLatent = Annotated[float, Field(ge=-1, le=1)]


class Pictures(Component):
    """What all sources of pictures say of themselves."""

    external: ClassVar[bool] = True
    """It may not be available: a renderer, a network or a folder is needed."""

    train: PositiveInt = Field(250_000, description="pictures to train on")
    test: PositiveInt = Field(25_000, description="pictures to score on")

    @property
    def pixels(self) -> int:
        """Height and width of a picture."""
        raise NotImplementedError

    @property
    def free(self) -> tuple[str, ...]:
        """Names of the latents that vary, in the order of the columns."""
        return LATENTS

    @property
    def label(self) -> str:
        return "3DIdent"

    def counts(self) -> dict[str, int]:
        """Number of pictures by split."""
        return {"train": self.train, "test": self.test}


class Rendering(Component):
    """How Blender's Cycles renders pictures."""

    programs: ClassVar[tuple[str, ...]] = ("demix_render.blender",)
    libraries: ClassVar[tuple[str, ...]] = ()  # Blender's version is a constant of the program

    preset: Literal["paper", "fast", "smoke"] = Field("paper", description="quality of the pictures")
    size: Annotated[int, Field(ge=8)] | None = Field(None, description="height and width; none: the preset's")
    samples: PositiveInt | None = Field(None, description="of Cycles for a pixel; none: the preset's")
    hue_mode: Literal["published", "corrected"] = Field(
        "published",
        description="published: negative hues as the authors' script converts them, constant on a part of the range; "
        "corrected: modulo a full turn",
    )
    z_scale: PositiveFloat = Field(3.0, description="height of the object at a raw latent of 1")

    @property
    def pixels(self) -> int:
        """Height and width of a picture."""
        return self.size or PRESETS[self.preset].size

    @property
    def samples_a_pixel(self) -> int:
        """Samples of Cycles for a pixel."""
        return self.samples or PRESETS[self.preset].samples

    def counts(self) -> dict[str, int]:
        """Number of pictures by split."""
        raise NotImplementedError


class RenderedPictures(Rendering, Pictures):
    """Pictures rendered by Blender's Cycles from uniform latents."""

    implementation: ClassVar[str] = "demix.datasets.rendered_pictures:RenderedPictures"
    kind: Literal["rendered_pictures"] = "rendered_pictures"
    held: dict[LatentName, RawLatent] = Field({}, description="latents that do not vary, with their raw value")
    seed: NonNegativeInt = Field(0, description="of the latents")

    @field_validator("held")
    @classmethod
    def _some_vary(cls, held: dict[LatentName, float]) -> dict[LatentName, float]:
        if len(held) > len(LATENTS) - 2:
            raise ValueError(f"at least two of the {len(LATENTS)} latents must vary, {len(held)} are held")
        return {name: held[name] for name in LATENTS if name in held}  # type: ignore[index]

    @property
    def free(self) -> tuple[str, ...]:
        """Names of the latents that vary, in the order of the columns."""
        return tuple(name for name in LATENTS if name not in self.held)

    def counts(self) -> dict[str, int]:
        """Number of pictures by split."""
        return Pictures.counts(self)


class PictureArchive(Component):
    """One of the published archives as it is downloaded."""

    implementation: ClassVar[str] = "demix.datasets.picture_archive:TarFiles"
    kind: Literal["picture_archive"] = "picture_archive"
    split: Literal["train", "test"]
    md5: Md5

    @property
    def file(self) -> str:
        """Its published name."""
        return f"3dident_{self.split}.tar"


class DownloadedPictures(Pictures):
    """The published archives (Zenodo record 4502485)."""

    implementation: ClassVar[str] = "demix.datasets.picture_archive:DownloadedPictures"
    kind: Literal["downloaded_pictures"] = "downloaded_pictures"
    size: int = Field(SIZE, ge=8, description="height and width that pictures are resized to")
    train_md5: Md5 = Field("df132b4dacf04fa28e1c8ca9d2168634", description="checksum of the archive to train on")
    test_md5: Md5 = Field("35020bca16c9faa80cf0c926d265d678", description="checksum of the archive to score on")

    @property
    def pixels(self) -> int:
        """Height and width of a picture."""
        return self.size

    @property
    def archives(self) -> tuple[PictureArchive, ...]:
        """What has to be downloaded."""
        return PictureArchive(split="train", md5=self.train_md5), PictureArchive(split="test", md5=self.test_md5)


class LocalPictures(Pictures):
    """A folder in the layout of the published archives: train/ and test/ with images/ and raw_latents.npy."""

    implementation: ClassVar[str] = "demix.datasets.picture_archive:LocalPictures"
    kind: Literal["local_pictures"] = "local_pictures"
    path: str = Field(min_length=1, description="the folder; it stands for its content")
    size: int = Field(SIZE, ge=8, description="height and width that pictures are resized to")

    @property
    def pixels(self) -> int:
        """Height and width of a picture."""
        return self.size


PictureData = Annotated[
    Annotated[RenderedPictures | DownloadedPictures | LocalPictures, Field(discriminator="kind")], named
]
