"""KITTI Masks, as data."""

from typing import ClassVar

from pydantic import Field

from demix.specs.datasets import FileSpec, Sha256
from demix.specs.datasets.common.masks import MasksSpec

URL = "https://zenodo.org/record/3931823/files/kitti_peds_v2.pickle?download=1"


class KittiMasksSpec(MasksSpec):
    """The published file kitti_peds_v2.pickle (Zenodo record 3931823), converted."""

    source: ClassVar[str] = "kitti_masks"
    sha256: Sha256 | None = Field(
        None, description="checksum that the file must have; none: that of the first file used in this data folder"
    )

    @property
    def label(self) -> str:
        return "KITTI Masks"

    @property
    def files(self) -> tuple[FileSpec, ...]:
        """The published file."""
        return (FileSpec(name="kitti_peds_v2.pickle", sha256=self.sha256, urls=(URL,)),)
