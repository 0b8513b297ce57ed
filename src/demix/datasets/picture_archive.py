"""Pictures in the layout of the published archives: images/<number>.png and raw_latents.npy, packed or not.

Nothing is unpacked to disk and no name in an archive becomes a path: pictures are found by their number, and are read
where they lie.
"""

import io
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from demix.specs.pictures import LATENTS
from demix.support.errors import DataError

CHUNK = 500
"""Pictures that are decoded before they are handed on."""

IMAGE = re.compile(r"(^|/)images/(\d+)\.png$")
LATENTS_FILE = "raw_latents.npy"
HINT = "images/000000.png ... and raw_latents.npy are asked for"


class Files(Protocol):
    """Where the pictures and latents of one split lie."""

    name: str

    def latents(self) -> bytes:
        """Content of raw_latents.npy."""

    def picture(self, number: int) -> bytes:
        """Content of a picture's file."""


class DownloadedPictures:
    """The published archives.

    Args:
        train, test: how many pictures are used of each, the first ones.
        size: height and width that they are resized to.
        train_md5, test_md5: checked where the archives are fetched.
    """

    def __init__(self, *, train: int, test: int, size: int, train_md5: str, test_md5: str):
        self.count, self.size = {"train": train, "test": test}, size

    def chunks(self, split: str, archive: Path) -> Iterator[tuple[NDArray, NDArray]]:
        """Pictures (n, size, size, 3) uint8 with their latents (n, 10), in order.

        Raises:
            DataError: the archive is damaged or holds something else.
        """
        with TarFiles(archive) as files:
            yield from decoded(files, self.count[split], self.size)


class LocalPictures:
    """A folder with train/ and test/, in the layout of the archives.

    Args:
        train, test: how many pictures are used of each, the first ones.
        path: the folder.
        size: height and width that they are resized to.
    """

    def __init__(self, *, train: int, test: int, path: str, size: int):
        self.count, self.size, self.path = {"train": train, "test": test}, size, Path(path).expanduser()

    def chunks(self, split: str) -> Iterator[tuple[NDArray, NDArray]]:
        """As `DownloadedPictures.chunks`."""
        yield from decoded(FolderFiles(self.path, split), self.count[split], self.size)


class TarFiles:
    """The files of an archive without compression, by their place in it.

    Raises:
        DataError: it is no such archive, is cut off, or has none of these files.
    """

    def __init__(self, path: Path):
        self.name = path.name
        self._places: dict[int | str, tuple[int, int]] = {}
        try:
            self._file = open(path, "rb")  # noqa: SIM115
        except OSError as error:
            raise DataError(f"{path}: not readable ({error.strerror})") from None
        try:
            self._find()
        except (tarfile.TarError, OSError, EOFError) as error:
            self._file.close()
            raise DataError(f"{self.name} is damaged, or no tar archive ({error})") from None

    def _find(self) -> None:
        """Note where the pictures and the latents begin and how long they are."""
        with tarfile.open(fileobj=self._file, mode="r:") as archive:
            while (member := archive.next()) is not None:
                archive.members = []  # type: ignore[attr-defined]  # they could be a quarter of a million
                if not member.isreg():
                    continue
                if image := IMAGE.search(member.name):
                    self._places[int(image[2])] = (member.offset_data, member.size)
                elif member.name.split("/")[-1] == LATENTS_FILE:
                    self._places[LATENTS_FILE] = (member.offset_data, member.size)

    def __enter__(self) -> "TarFiles":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def latents(self) -> bytes:
        """Content of raw_latents.npy."""
        return self._content(LATENTS_FILE, LATENTS_FILE)

    def picture(self, number: int) -> bytes:
        """Content of a picture's file."""
        return self._content(number, f"picture {number}")

    def _content(self, key: int | str, what: str) -> bytes:
        if key not in self._places:
            raise DataError(f"{self.name} has no {what}; {HINT}")
        start, length = self._places[key]
        self._file.seek(start)
        content = self._file.read(length)
        if len(content) < length:
            raise DataError(f"{self.name} is cut off in {what}")
        return content


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

    def picture(self, number: int) -> bytes:
        """Content of a picture's file."""
        if number not in self._images:
            raise DataError(f"{self.name} has no picture {number}; {HINT}")
        return self._content(self._images[number])

    @staticmethod
    def _content(path: Path) -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            raise DataError(f"{path}: not readable ({error.strerror})") from None


def decoded(files: Files, count: int, size: int) -> Iterator[tuple[NDArray, NDArray]]:
    """The first `count` pictures with their latents, some at a time.

    Raises:
        DataError: there are fewer, a picture is damaged, or the latents are not ten columns within [-1, 1].
    """
    latents = _latents(files)
    if len(latents) < count:
        raise DataError(f"{files.name} has {len(latents):,} pictures, {count:,} are asked for")
    for first in range(0, count, CHUNK):
        numbers = range(first, min(first + CHUNK, count))
        yield np.stack([_pixels(files, number, size) for number in numbers]), latents[numbers.start : numbers.stop]


def _latents(files: Files) -> NDArray[np.float32]:
    try:
        latents = np.load(io.BytesIO(files.latents()), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise DataError(f"{files.name}: {LATENTS_FILE} is damaged ({error})") from None
    if latents.ndim != 2 or latents.shape[1] != len(LATENTS) or latents.dtype.kind != "f":
        raise DataError(
            f"{files.name}: {LATENTS_FILE} is {latents.dtype} {latents.shape}, not real (n, {len(LATENTS)})"
        )
    if not (np.abs(latents) <= 1).all():
        raise DataError(f"{files.name}: {LATENTS_FILE} leaves [-1, 1]; latents.npy has other units")
    return latents.astype(np.float32)


def _pixels(files: Files, number: int, size: int) -> NDArray[np.uint8]:
    """A picture as (size, size, 3) uint8; a smaller one has means over areas."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(files.picture(number)), formats=["PNG"]) as image:
            rgb = image.convert("RGB")
    except (OSError, ValueError, SyntaxError) as error:  # how pillow says that a PNG is damaged
        raise DataError(f"{files.name}: picture {number} is damaged ({error})") from None
    if rgb.size != (size, size):
        rgb = rgb.resize((size, size), Image.Resampling.BOX)
    return np.asarray(rgb)
