"""The cache that clones, folders and users share: finished results by their key. Never imports torch.

An entry is a folder `<kind>/<first digits>/<key>-<part>` with the files of a result and `entry.json`, which holds their
sizes and digests and what the key was made of. Its kind is the command that made it; its part is which of the results
with that key it is, such as "seed0", or "train-000000" for a shard of images. It appears whole, by one rename, or not
at all, and what it holds is checked whenever it is taken. A failure of the cache never costs a result: it is
reported, and the run goes on.
"""

import contextlib
import hashlib
import os
import shutil
import stat
import sys
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from demix.experiment.keys import key_parts, result_key
from demix.specs.base import Spec
from demix.support.errors import ConfigError, DataError
from demix.support.files import read_json, write_json
from demix.support.provenance import now

VARIABLE = "DEMIX_CACHE"
MANIFEST = "entry.json"
INCOMING = "incoming"
"""Folder of entries that are being written."""

FIELDS = {"kind", "key", "part", "name", "parts", "sets", "files"}
"""What a manifest must have."""


def seed_part(seed: int) -> str:
    """The part of a result that is of one seed."""
    return f"seed{seed}"


@dataclass(frozen=True)
class Entry:
    """A result in the cache.

    Args:
        folder: holds the result's files and the manifest.
    """

    folder: Path

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """Kind, key, part, name, parts of the key, evaluation sets, files, who stored it and when.

        Raises:
            DataError: the manifest is missing or damaged.
        """
        content = read_json(self.folder / MANIFEST)
        if not isinstance(content, dict) or not content.keys() >= FIELDS:
            raise DataError(f"{self.folder / MANIFEST}: not the manifest of a cache entry")
        return content

    @property
    def data(self) -> str:
        """Hash of the external data that it comes from; empty for none."""
        return self.manifest["parts"].get("data", "")

    @property
    def sets(self) -> dict[str, str]:
        """Keys of the evaluation sets that it has codes of, by their names."""
        return self.manifest["sets"]

    @property
    def size(self) -> int:
        """Bytes of its files, as far as they are there."""
        return sum(path.stat().st_size for path in self.folder.iterdir())

    @property
    def last_used(self) -> float:
        """Seconds since the epoch: when it was stored or taken last."""
        return self.folder.stat().st_mtime

    def damage(self, *, contents: bool = True) -> str:
        """What is wrong with it, as one line; empty for a whole entry.

        Args:
            contents: read the files and compare digests, not sizes alone.
        """
        try:
            for name, expected in self.manifest["files"].items():
                path = self.folder / name
                if not path.is_file():
                    return f"{name} is missing"
                if path.stat().st_size != expected["size"]:
                    return f"{name} has {path.stat().st_size:,} bytes in place of {expected['size']:,}"
                if contents and _digest(path) != expected["sha256"]:
                    return f"{name} has other contents than were stored"
        except DataError as error:
            return str(error)
        except OSError as error:
            return f"not readable ({error})"
        return ""


class Store:
    """The cache in a folder.

    Args:
        root: made if it is not there. Who may use the entries is what the mode of this folder says, whatever the
            umask of those who store them.
    """

    def __init__(self, root: Path):
        self.root = root
        try:
            root.mkdir(parents=True, exist_ok=True)
            self._mode = stat.S_IMODE(root.stat().st_mode)
        except OSError as error:
            raise ConfigError(f"{VARIABLE}: {root} is no usable folder ({error.strerror})") from None

    @classmethod
    def from_environment(cls) -> "Store | None":
        """The cache that DEMIX_CACHE names; None if it is unset or empty.

        Raises:
            ConfigError: it names something that is no folder.
        """
        name = os.environ.get(VARIABLE)
        return cls(Path(name).expanduser().absolute()) if name else None

    def folder(self, kind: str, key: str, part: str) -> Path:
        """Where the entry of a result is or would be."""
        return self.root / kind / key[:2] / f"{key}-{part}"

    def holds(self, kind: str, key: str, part: str, *, contents: bool = True, data: str | None = None) -> bool:
        """There is a whole entry for a result; `contents` as in `Entry.damage`.

        Args:
            data: hash of the external data that the result must come from, empty for none; None: from whatever data.
        """
        entry = Entry(self.folder(kind, key, part))
        if not entry.folder.is_dir() or entry.damage(contents=contents):
            return False
        return data is None or entry.data == data

    def take(self, kind: str, key: str, part: str, out: Path) -> bool:
        """Copy a result to `out`, in the order in which it was written; False if there is no whole entry.

        A damaged entry is reported and removed, so that the result which is made in its place can be stored.
        """
        entry = Entry(self.folder(kind, key, part))
        if not entry.folder.is_dir():
            return False
        damage = entry.damage()
        if damage:
            _say(f"{entry.folder}: damaged ({damage}), not used")
            self.remove(entry)
            return False
        try:
            out.mkdir(parents=True, exist_ok=True)
            for name in entry.manifest["files"]:
                partial = out / f".{name}.{uuid.uuid4().hex}.tmp"
                shutil.copyfile(entry.folder / name, partial)
                os.replace(partial, out / name)
        except FileNotFoundError:  # pruned meanwhile
            return False
        _try(os.utime, entry.folder)
        return True

    def put(
        self,
        kind: str,
        key: str,
        part: str,
        out: Path,
        names: tuple[str, ...],
        *,
        name: str,
        parts: dict[str, Any],
        sets: Mapping[str, str] | None = None,
    ) -> bool:
        """Store the files `names` of folder `out`; False if another entry was there first or writing failed.

        Args:
            kind, key, part: of the result.
            out: where it lies.
            names: the files, in the order in which they are to be written when they are taken.
            name: what people call it.
            parts: what the key was made of.
            sets: keys of the evaluation sets that it has codes of, by their names: no part of a training's key.
        """
        folder = self.folder(kind, key, part)
        if self.holds(kind, key, part):
            return False
        incoming = self.root / INCOMING / uuid.uuid4().hex
        try:
            self._make(incoming)
            for file in names:
                shutil.copyfile(out / file, incoming / file)
            files = {file: {"size": (out / file).stat().st_size, "sha256": _digest(out / file)} for file in names}
            record = {"kind": kind, "key": key, "part": part, "name": name, "parts": parts, "sets": dict(sets or {})}
            write_json(incoming / MANIFEST, record | {"files": files, "stored": now(), "by": _user()})
            for path in incoming.iterdir():
                path.chmod(0o400 | (self._mode & 0o444))
            self._make(folder.parent)
            if folder.is_dir() and not self.holds(kind, key, part):
                self.remove(Entry(folder))
            os.rename(incoming, folder)
        except OSError as error:
            shutil.rmtree(incoming, ignore_errors=True)
            if not self.holds(kind, key, part):  # nobody else was faster
                _say(f"{folder}: not stored ({error.strerror or error}); the result itself is complete")
            return False
        return True

    def entries(self) -> Iterator[Entry]:
        """All entries, whole or not, of whatever kind."""
        for folder in sorted(self.root.glob("*/*/*-*")):
            if folder.is_dir() and folder.relative_to(self.root).parts[0] != INCOMING:
                yield Entry(folder)

    def clear_leftovers(self, older_than: float) -> None:
        """Remove what killed processes left half-written or half-removed, if it is that many seconds old."""
        for folder in (self.root / INCOMING).glob("*"):
            if folder.stat().st_mtime < time.time() - older_than:
                shutil.rmtree(folder, ignore_errors=True)

    def remove(self, entry: Entry) -> bool:
        """Remove an entry: renamed first, so that nobody takes half of it. False if that is not allowed."""
        aside = self.root / INCOMING / uuid.uuid4().hex
        try:
            self._make(aside.parent)
            os.rename(entry.folder, aside)
        except OSError as error:
            _say(f"{entry.folder}: cannot be removed ({error.strerror or error})")
            return False
        shutil.rmtree(aside, ignore_errors=True)
        return True

    def _make(self, folder: Path) -> None:
        """Make a folder, and those above it up to the root, with the mode of the root."""
        for path in (*reversed(folder.relative_to(self.root).parents), folder.relative_to(self.root)):
            if not (self.root / path).is_dir():
                (self.root / path).mkdir(exist_ok=True)
                _try(os.chmod, self.root / path, self._mode)


class Slot:
    """The place of one result in the cache, for the command that makes it. Without a cache it does nothing.

    Args:
        kind, key, part: of the result; without a key it is not cached.
        name: for people who look at the cache.
        spec, modules, evaluation: what `demix.experiment.keys.result_key` made the key of. If code or libraries have
            changed since, so that they give another key now, the cache is left alone.
        data: hash of the external data that the result comes from, which its key cannot know: it is planned before the
            data is there. Entries from other data are left alone.
    """

    def __init__(
        self,
        kind: str,
        key: str,
        part: str,
        name: str,
        spec: Spec,
        modules: tuple[str, ...] = (),
        *,
        evaluation: bool = True,
        data: str = "",
    ):
        self._place, self._name, self._data = (kind, key, part), name, data
        self._store = Store.from_environment() if key else None
        self._parts: dict[str, Any] = {}
        if self._store is None:
            return
        self._parts = key_parts(spec, *modules, evaluation=evaluation) | ({"data": data} if data else {})
        if result_key(spec, *modules, evaluation=evaluation) != key:
            _say(f"code or libraries have changed since key {key[:8]} was planned; not used")
            self._store = None

    def take(self, out: Path) -> bool:
        """Copy the result to `out`, if it is there."""
        if self._store is None or not self._from_our_data(self._store) or not self._store.take(*self._place, out):
            return False
        _say(f"taken from {self._store.folder(*self._place)}")
        return True

    def _from_our_data(self, store: Store) -> bool:
        """False if there is an entry that comes from other data; a damaged one is left to `Store.take`."""
        other = store.holds(*self._place) and not store.holds(*self._place, data=self._data)
        if other:
            _say(f"{store.folder(*self._place)}: made from other data, not used")
        return not other

    def put(self, out: Path, names: tuple[str, ...], sets: Mapping[str, str] | None = None) -> None:
        """Store the result that lies in `out`; `sets` as in `Store.put`."""
        if self._store is not None:
            self._store.put(*self._place, out, names, name=self._name, parts=self._parts, sets=sets)


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no entry for this user id
        return str(os.getuid())


def _try(function: Any, *arguments: Any) -> None:
    """Call a function whose failure does not matter: the folder is another user's."""
    with contextlib.suppress(OSError):
        function(*arguments)


def _say(text: str) -> None:
    print(f"cache: {text}", file=sys.stderr, flush=True)
