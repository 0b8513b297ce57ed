"""Where external data comes from, as data: the entries of `datasets` in the configuration.

What is in the data is said by the problems, and checked; what is said here is in no key, unless it chooses other data.
"""

from demix.specs.base import Component
from demix.specs.datasets import DatasetSpec, FileSpec


class SourceSpec(Component):
    """Where a data set comes from."""

    def chosen(self, dataset: DatasetSpec) -> DatasetSpec:
        """The data set that stands for one which the configuration describes."""
        return dataset

    def urls_of(self, file: FileSpec) -> tuple[str, ...]:
        """Addresses of a file, to be tried in turn."""
        return ()

    def path_of(self, file: FileSpec) -> str | None:
        """A local copy of a file, in place of a download."""
        return None

    @property
    def hint(self) -> str:
        """What else a user can do where a file cannot be had; empty for nothing."""
        return ""
