"""The published archives of 3DIdent, as data."""

from pydantic import Field

from demix.specs.datasets import FileSpec, Md5
from demix.specs.datasets.common.threedident import SIZE, ThreeDIdentSpec

URL = "https://zenodo.org/record/4502485/files/{}?download=1"


class ThreeDIdentArchivesSpec(ThreeDIdentSpec):
    """The published archives (Zenodo record 4502485)."""

    size: int = Field(SIZE, ge=8, description="height and width that images are resized to")
    train_md5: Md5 = Field("df132b4dacf04fa28e1c8ca9d2168634", description="checksum of the archive to train on")
    test_md5: Md5 = Field("35020bca16c9faa80cf0c926d265d678", description="checksum of the archive to score on")

    @property
    def pixels(self) -> int:
        return self.size

    @property
    def files(self) -> tuple[FileSpec, ...]:
        """Both archives, train before test."""
        archives = {"train": self.train_md5, "test": self.test_md5}
        names = {split: f"3dident_{split}.tar" for split in archives}
        return tuple(
            FileSpec(name=names[split], md5=md5, urls=(URL.format(names[split]),)) for split, md5 in archives.items()
        )
