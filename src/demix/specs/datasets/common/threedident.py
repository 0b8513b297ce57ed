"""What specs of 3DIdent share (ICML 2021, Section 4.3)."""

from typing import Annotated, ClassVar, Literal, get_args

from pydantic import Field

from demix.specs.datasets import DatasetSpec

LatentName = Literal["x", "y", "z", "alpha", "beta", "gamma", "spot", "hue_object", "hue_spot", "hue_ground"]
LATENTS: tuple[str, ...] = get_args(LatentName)
"""Columns of the latents in raw units, each uniform on [-1, 1]: place, Euler angles, spotlight's angle, three hues."""

SPLITS = ("train", "test")

SIZE = 224
"""Height and width of the published pictures in pixels."""

RawLatent = Annotated[float, Field(ge=-1, le=1)]


class ThreeDIdentSpec(DatasetSpec):
    """Pictures of a teapot with ten latents, some to train on and some to score on."""

    source: ClassVar[str] = "threedident"
    normalization: ClassVar[str] = "authors"
    constants: ClassVar[dict[str, tuple[tuple[float, ...], tuple[float, ...]]]] = {
        # those of the authors' code, which do not fit the published pictures, and need not
        "authors": ((0.3292, 0.3278, 0.3215), (0.0778, 0.0776, 0.0771))
    }
    train: int = Field(250_000, ge=4, description="pictures to train on")
    test: int = Field(25_000, ge=4, description="pictures to score on")

    @property
    def label(self) -> str:
        return "3DIdent"

    @property
    def labels(self) -> dict[str, str]:
        """Those of its latents."""
        return {"space": "Box", "marginal": "Uniform"}

    @property
    def pixels(self) -> int:
        """Height and width of a picture."""
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
        """Number of pictures by split."""
        return {"train": self.train, "test": self.test}
