"""Where the images of 3DIdent come from, as data."""

from typing import ClassVar, Literal

from pydantic import Field, PositiveInt, model_validator

from demix.specs.datasets import DatasetSpec, FileSpec, Md5
from demix.specs.datasets.threedident import RenderedThreeDIdentSpec
from demix.specs.datasets.threedident_archives import ThreeDIdentArchivesSpec
from demix.specs.datasets.threedident_folder import ThreeDIdentFolderSpec
from demix.specs.sources import SourceSpec


class ThreeDIdentSourceSpec(SourceSpec):
    """Where the images of 3DIdent come from. Runs do not know; which images they are is part of their keys."""

    renders: ClassVar[bool] = True

    source: Literal["render", "download", "local"] = Field(
        "render",
        description="render: made here by Blender as `problems` say; download: the published archives; local: a folder "
        "in their layout. Size and number of the images are those of `problems` in any case",
    )
    urls: dict[Literal["train", "test"], tuple[str, ...]] = Field(
        {},
        description="addresses to try in turn, in place of those of the published archives; a download that broke off "
        "is resumed",
    )
    md5: dict[Literal["train", "test"], Md5] = Field(
        {}, description="checksums of other archives than the published ones"
    )
    path: str | None = Field(None, description="the folder, for source local")
    device: Literal["cpu", "cuda", "optix", "hip", "oneapi"] = Field(
        "cpu", description="what Blender computes on. It is in the data card and in no key"
    )
    threads: PositiveInt = Field(2, description="CPU threads of a job that renders; they change no image")

    @model_validator(mode="after")
    def _local_has_a_path(self) -> "ThreeDIdentSourceSpec":
        if (self.source == "local") != (self.path is not None):
            raise ValueError(f"path goes with source local, got source={self.source} and path={self.path}")
        return self

    def chosen(self, dataset: DatasetSpec) -> DatasetSpec:
        """The data that stands for images which the configuration describes as rendered."""
        if self.source == "render" or not isinstance(dataset, RenderedThreeDIdentSpec):
            return dataset
        shared = {"train": dataset.train, "test": dataset.test, "size": dataset.pixels}
        if self.path is not None:
            return ThreeDIdentFolderSpec(path=self.path, **shared)
        return ThreeDIdentArchivesSpec(**shared, **{f"{split}_md5": md5 for split, md5 in self.md5.items()})

    def urls_of(self, file: FileSpec) -> tuple[str, ...]:
        return next((urls for split, urls in self.urls.items() if f"_{split}." in file.name), file.urls)

    def hint(self, dataset: DatasetSpec) -> str:
        if self.source == "local":
            return "or name another folder in datasets.threedident.path"
        return "or render the images: datasets.threedident.source: render"
