"""A folder of 3DIdent, as data."""

from pydantic import Field

from demix.specs.datasets.common.threedident import SIZE, ThreeDIdentSpec


class ThreeDIdentFolderSpec(ThreeDIdentSpec):
    """A folder in the layout of the published archives: train/ and test/ with images/ and raw_latents.npy."""

    path: str = Field(min_length=1, description="the folder; keys have its path, not what is in it")
    size: int = Field(SIZE, ge=8, description="height and width that images are resized to")

    @property
    def pixels(self) -> int:
        return self.size
