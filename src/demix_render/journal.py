"""What a shard has so far: a file that images are appended to, so that a killed process goes on where it was.

A line of JSON says what is being made, then every image follows as a header (index, length, SHA-256 of the bytes) and
its bytes. Whatever does not check is cut off, with all after it, and made again.
"""

import hashlib
import json
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HEADER = struct.Struct("<QQ32s")


class Journal:
    """An open journal.

    Args:
        path: of the file; made if it is not there.
        identity: what decides the images. A journal of anything else is begun anew.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]):
        self.path = path
        self.images: list[bytes] = []
        self.damage = ""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open(path, "r+b" if path.exists() else "w+b", buffering=0)  # noqa: SIM115
        self._read(json.dumps(dict(identity), sort_keys=True).encode() + b"\n")

    def _read(self, line: bytes) -> None:
        """Take over whole images and cut off the rest; `damage` says what was wrong, empty for nothing."""
        content = self._file.read()
        good = len(line)
        if not content.startswith(line):
            self.damage = "of other images" if content else ""
            self._rewrite(line)
            return
        while good < len(content):
            image = _image_at(content, good, len(self.images))
            if image is None:
                self.damage = f"damaged after {len(self.images)} images"
                break
            self.images.append(image)
            good += HEADER.size + len(image)
        self._file.seek(good)
        self._file.truncate()

    def _rewrite(self, line: bytes) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.write(line)
        self.flush()

    def append(self, image: bytes) -> None:
        """Add the next image. It outlives this process at once, and the machine after `flush`."""
        header = HEADER.pack(len(self.images), len(image), hashlib.sha256(image).digest())
        self._file.write(header + image)
        self.images.append(image)

    def flush(self) -> None:
        """Have everything on the disk."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def remove(self) -> None:
        """Delete the file, once the shard is there."""
        self.close()
        self.path.unlink(missing_ok=True)


def _image_at(content: bytes, start: int, index: int) -> bytes | None:
    """The image that begins at a place; None if it is not whole."""
    body = start + HEADER.size
    if body > len(content):
        return None
    number, length, digest = HEADER.unpack_from(content, start)
    image = content[body : body + length]
    whole = number == index and len(image) == length and hashlib.sha256(image).digest() == digest
    return image if whole else None
