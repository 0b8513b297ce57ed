"""Files of a data set, downloaded or local, as data."""

from typing import Any

from pydantic import Field, field_validator

from demix.specs.datasets import DatasetSpec, FileSpec
from demix.specs.sources import SourceSpec
from demix.support.errors import unknown

ANY = "*"
"""Stands for the name of the only file."""


class FilesSourceSpec(SourceSpec):
    """The files that a data set names, from their own addresses unless said otherwise."""

    urls: dict[str, tuple[str, ...]] = Field(
        {},
        description="addresses to try in turn, in place of a file's own: a list, or lists by the name of the file "
        "where there are several; a download that broke off is resumed",
    )
    path: str | None = Field(
        None, description="a local copy of the file, or the folder that has all of them, in place of a download"
    )

    @field_validator("urls", mode="before")
    @classmethod
    def _of_the_only_file(cls, urls: Any) -> Any:
        return {ANY: urls} if isinstance(urls, list | tuple) else urls

    def check(self, dataset: DatasetSpec) -> None:
        """Refuse addresses of files that the data set does not have.

        Raises:
            ValueError: it has no such file, or several where one is meant.
        """
        super().check(dataset)
        names = [file.name for file in dataset.files]
        if ANY in self.urls and len(names) > 1:
            raise ValueError(
                f"urls: data set {dataset.kind} has several files, give a list for each: {', '.join(names)}"
            )
        for name in self.urls:
            if name not in (ANY, *names):
                raise ValueError(f"urls: {unknown('file', name, names)}")

    def urls_of(self, file: FileSpec) -> tuple[str, ...]:
        return self.urls.get(file.name) or self.urls.get(ANY) or file.urls

    def path_of(self, file: FileSpec) -> str | None:
        return self.path

    def hint(self, dataset: DatasetSpec) -> str:
        return f"or name a local copy in datasets.{dataset.source_name}.path" if dataset.files else ""
