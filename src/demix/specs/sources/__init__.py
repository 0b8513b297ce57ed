"""Where data sets come from, as data: the entries of `datasets` in the configuration.

What is in a data set is said by the problems, and checked. What is said here is in no key, unless it chooses another
data set. A data set that has no entry here has the defaults of its source.
"""

from typing import Annotated, ClassVar

from pydantic import SerializeAsAny

from demix.specs.base import Member
from demix.specs.datasets import DatasetSpec, FileSpec
from demix.specs.families import member_of


class SourceSpec(Member):
    """Where a data set comes from."""

    renders: ClassVar[bool] = False
    """It has `device` and `threads`, to render images with."""

    def check(self, dataset: DatasetSpec) -> None:
        """Refuse a data set that cannot come from here.

        Raises:
            ValueError: it has to be rendered, and this source renders nothing.
        """
        if dataset.shards and not self.renders:
            raise ValueError(f"data set {dataset.kind} has to be rendered, which kind {self.kind} cannot do")

    def chosen(self, dataset: DatasetSpec) -> DatasetSpec:
        """The data set that stands for one which the configuration describes."""
        return dataset

    def urls_of(self, file: FileSpec) -> tuple[str, ...]:
        """Addresses of a file, to be tried in turn: by default its own."""
        return file.urls

    def path_of(self, file: FileSpec) -> str | None:
        """A local copy of a file, or the folder that has one, in place of a download."""
        return None

    def hint(self, dataset: DatasetSpec) -> str:
        """What else a user can do where the data cannot be had; empty for nothing."""
        return ""


Source = Annotated[SerializeAsAny[SourceSpec], member_of("sources")]
