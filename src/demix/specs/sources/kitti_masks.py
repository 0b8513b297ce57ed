"""Where KITTI Masks comes from, as data."""

from pydantic import Field

from demix.specs.datasets import FileSpec
from demix.specs.sources import SourceSpec


class KittiMasksSourceSpec(SourceSpec):
    """The published file, downloaded or local."""

    urls: tuple[str, ...] = Field((), description="addresses to try in turn; a download that broke off is resumed")
    path: str | None = Field(None, description="a local copy of the file, in place of a download")

    def urls_of(self, file: FileSpec) -> tuple[str, ...]:
        return self.urls

    def path_of(self, file: FileSpec) -> str | None:
        return self.path

    @property
    def hint(self) -> str:
        return "or name a local copy in datasets.kitti_masks.path"
