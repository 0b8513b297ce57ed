"""Checksums of downloaded files: recorded when a file is first used, and required of every file of that name after."""

import hashlib
from pathlib import Path

from demix.support.errors import DataError
from demix.support.files import read_json, write_json
from demix.support.provenance import now

RECORD = "checksums.json"


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, as hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def md5_of(path: Path) -> str:
    """MD5 of a file, as hexadecimal digits: not for safety, but to compare with a published one."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def verify(path: Path, pinned: str | None = None) -> str:
    """Compare a file with the checksum in the configuration, else with the recorded one of its first use, if any.

    Args:
        path: the file; the record lies beside it.
        pinned: the checksum in the configuration; None if it has none.

    Returns:
        Its checksum.

    Raises:
        DataError: it is another one; both are named.
    """
    found = sha256_of(path)
    expected = pinned or _record(path).get(path.name, {}).get("sha256")
    if expected and found != expected:
        asked_by = "the configuration" if pinned else f"its first use ({path.parent / RECORD})"
        raise DataError(f"{path.name} has checksum {found}, but {asked_by} says {expected}")
    return found


def remember(path: Path, sha256: str, source: str) -> None:
    """Record the checksum of a file that was used without an error; one that is recorded already stays.

    Args:
        path: the file.
        sha256: what `verify` returned.
        source: where the file comes from.
    """
    record = _record(path)
    if path.name not in record:
        about = {"sha256": sha256, "size": path.stat().st_size, "source": source, "first_used": now()}
        write_json(path.parent / RECORD, record | {path.name: about})


def _record(path: Path) -> dict:
    record = path.parent / RECORD
    return read_json(record) if record.exists() else {}
