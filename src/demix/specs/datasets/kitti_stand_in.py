"""A stand-in for KITTI Masks, as data."""

from typing import ClassVar

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from demix.specs.datasets.common.masks import MasksSpec


class KittiStandInSpec(MasksSpec):
    """A made stand-in of the same format: silhouettes that move, grow and are partly hidden. No real data."""

    external: ClassVar[bool] = False
    stand_in: ClassVar[bool] = True
    sequences: PositiveInt = Field(1000, description="number of sequences")
    frames: PositiveInt = Field(80, description="mean length of a sequence, before it leaves the image")
    motion: PositiveFloat = Field(1.0, description="size of the steps, as a multiple of those measured in KITTI Masks")
    seed: NonNegativeInt = Field(0, description="of everything that is drawn")

    @property
    def label(self) -> str:
        return "made stand-in"
