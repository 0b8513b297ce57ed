"""A folder of 3DIdent in the layout of the published archives."""

from pathlib import Path
from typing import ClassVar

from demix.datasets.common.conversion import Conversion, Inputs
from demix.datasets.common.threedident import AUTHORS
from demix.datasets.common.threedident_layout import HINT, LATENTS_FILE, published, split_of
from demix.specs.datasets.common.threedident import SPLITS
from demix.support.errors import DataError


class ThreeDIdentFolder:
    """A folder with train/ and test/.

    Args:
        train, test: how many images are used of each, the first ones.
        path: the folder.
        size: height and width that they are resized to.
    """

    constants: ClassVar = {"authors": AUTHORS}
    normalization: ClassVar = "authors"

    def __init__(self, *, train: int, test: int, path: str, size: int):
        self.count, self.size, self.path = {"train": train, "test": test}, size, path

    def convert(self, inputs: Inputs) -> Conversion:
        """Images and latents of both splits, in order.

        Raises:
            DataError: the folder is not there, or holds something else.
        """
        folders = {split: FolderFiles(Path(self.path).expanduser(), split) for split in SPLITS}
        return published({split: split_of(files, self.count[split], self.size) for split, files in folders.items()})


class FolderFiles:
    """The files of a folder: <path>/<split> or <path>/3dident/<split>, with any number of leading zeros.

    Raises:
        DataError: there is no such folder.
    """

    def __init__(self, path: Path, split: str):
        places = [path / split, path / "3dident" / split]
        found = [place for place in places if (place / "images").is_dir()]
        if not found:
            raise DataError(f"{places[0]}: there is no folder images in it; {HINT}")
        self._folder = found[0]
        self.name = str(self._folder)
        self._images = {int(path.stem): path for path in (self._folder / "images").glob("*.png") if path.stem.isdigit()}

    def latents(self) -> bytes:
        """Content of raw_latents.npy."""
        return self._content(self._folder / LATENTS_FILE)

    def image(self, number: int) -> bytes:
        """Content of an image's file."""
        if number not in self._images:
            raise DataError(f"{self.name} has no image {number}; {HINT}")
        return self._content(self._images[number])

    @staticmethod
    def _content(path: Path) -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            raise DataError(f"{path}: not readable ({error.strerror})") from None
