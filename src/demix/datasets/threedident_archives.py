"""The published archives of 3DIdent. Nothing is unpacked to disk."""

import re
import tarfile
from pathlib import Path
from typing import ClassVar

from demix.datasets.common.conversion import Conversion, Inputs
from demix.datasets.common.threedident import AUTHORS
from demix.datasets.common.threedident_layout import HINT, LATENTS_FILE, published, split_of
from demix.specs.datasets.common.threedident import SPLITS
from demix.support.errors import DataError

IMAGE = re.compile(r"(^|/)images/(\d+)\.png$")


class ThreeDIdentArchives:
    """The published archives.

    Args:
        train, test: how many images are used of each, the first ones.
        size: height and width that they are resized to.
        train_md5, test_md5: checked where the archives are fetched.
    """

    constants: ClassVar = {"authors": AUTHORS}
    normalization: ClassVar = "authors"

    def __init__(self, *, train: int, test: int, size: int, train_md5: str, test_md5: str):
        self.count, self.size = {"train": train, "test": test}, size

    def convert(self, inputs: Inputs) -> Conversion:
        """Images and latents of both archives, in order.

        Raises:
            DataError: an archive is damaged or holds something else.
        """
        archives = {split: TarFiles(inputs.files[f"3dident_{split}.tar"]) for split in SPLITS}
        return published({split: split_of(files, self.count[split], self.size) for split, files in archives.items()})


class TarFiles:
    """The files of an archive without compression, by their place in it.

    Raises:
        DataError: it is no such archive, is cut off, or has none of these files.
    """

    def __init__(self, path: Path):
        self.name, self._path = path.name, path
        self._places: dict[int | str, tuple[int, int]] = {}
        try:
            self._find()
        except (tarfile.TarError, OSError, EOFError) as error:
            raise DataError(f"{self.name} is damaged, or no tar archive ({error})") from None

    def _find(self) -> None:
        """Note where the images and the latents begin and how long they are."""
        with tarfile.open(self._path, mode="r:") as archive:
            while (member := archive.next()) is not None:
                archive.members = []  # type: ignore[attr-defined]  # they could be a quarter of a million
                if not member.isreg():
                    continue
                if image := IMAGE.search(member.name):
                    self._places[int(image[2])] = (member.offset_data, member.size)
                elif member.name.split("/")[-1] == LATENTS_FILE:
                    self._places[LATENTS_FILE] = (member.offset_data, member.size)

    def latents(self) -> bytes:
        """Content of raw_latents.npy."""
        return self._content(LATENTS_FILE, LATENTS_FILE)

    def image(self, number: int) -> bytes:
        """Content of an image's file."""
        return self._content(number, f"image {number}")

    def _content(self, key: int | str, what: str) -> bytes:
        if key not in self._places:
            raise DataError(f"{self.name} has no {what}; {HINT}")
        start, length = self._places[key]
        with open(self._path, "rb") as file:
            file.seek(start)
            content = file.read(length)
        if len(content) < length:
            raise DataError(f"{self.name} is cut off in {what}")
        return content
