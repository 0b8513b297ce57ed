"""Data sets of a user's own that are downloaded, and where they come from."""

import io
from typing import ClassVar

import numpy as np

from demix.datasets.common.conversion import Conversion, Inputs, whole
from demix.specs.datasets import DatasetSpec, FileSpec
from demix.specs.scores import ScoreSpec
from demix.specs.sources import SourceSpec
from demix.specs.sources.files import FilesSourceSpec


class KitesSpec(DatasetSpec):
    """Images with a factor and a label, in a file that the configuration names."""

    file: FileSpec = FileSpec(name="kites.npz")

    @property
    def shape(self) -> tuple[int, int, int]:
        return 1, 8, 8

    @property
    def factors(self) -> tuple[str, ...]:
        return ("height",)

    @property
    def known(self) -> tuple[str, ...]:
        return (*super().known, "labels")

    @property
    def files(self) -> tuple[FileSpec, ...]:
        return (self.file,)


class Kites:
    """Reads the file."""

    def __init__(self, *, file: FileSpec):
        self.file = file

    def convert(self, inputs: Inputs) -> Conversion:
        content = np.load(inputs.files[self.file.name], allow_pickle=False)
        return Conversion({"train": whole(**content)})


class SharedSpec(KitesSpec):
    """Like kites, with two files from the source "kites"."""

    implementation: ClassVar[str] = "kites:Kites"
    source: ClassVar[str] = "kites"

    @property
    def files(self) -> tuple[FileSpec, ...]:
        return (self.file, FileSpec(name="names.txt"))


class UnlabelledSpec(KitesSpec):
    """Kites of which only the height is known."""

    implementation: ClassVar[str] = "kites:Kites"

    @property
    def known(self) -> tuple[str, ...]:
        return ("factors",)


class LabelsScoreSpec(ScoreSpec):
    """A score that needs labels."""

    needs: ClassVar[tuple[str, ...]] = ("labels",)


class ShelfSpec(FilesSourceSpec):
    """A source of a user's own: every file lies on one server."""

    server: str

    def urls_of(self, file: FileSpec) -> tuple[str, ...]:
        return (f"{self.server}/{file.name}",)


class PinnedSpec(SourceSpec):
    """A source of a user's own that puts another data set in the place of the one that is asked for."""

    def chosen(self, dataset: DatasetSpec) -> DatasetSpec:
        return UnlabelledSpec()


def file_content() -> bytes:
    """What the file holds: four images."""
    images = np.arange(4 * 64, dtype=np.uint8).reshape(4, 8, 8, 1)
    factors, labels = np.linspace(-1, 1, 4, dtype=np.float32)[:, None], np.array([0, 1, 0, 1])
    buffer = io.BytesIO()
    np.savez(buffer, images=images, factors=factors, labels=labels)
    return buffer.getvalue()
