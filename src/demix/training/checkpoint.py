"""Checkpoints: a killed job loses minutes, and goes on as if nothing had happened.

Two generations lie in the run's folder, each written whole, flushed and renamed. A token tells who owns them: a
process that finds another's stops without saving, so that two writers never mix.
"""

import hashlib
import io
import os
import shutil
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import torch

from demix.support.errors import OwnedByAnotherError
from demix.support.files import replacing

SECONDS_BETWEEN = 60.0
CURRENT, PREVIOUS, OWNER = "current.pt", "previous.pt", "owner"


class Checkpoints:
    """The checkpoints of one run and seed, in `folder`. The newest process owns them.

    Args:
        folder: made if it is not there.
        key: the run's key; a checkpoint of another key is not used.
    """

    def __init__(self, folder: Path, key: str):
        self.folder, self.key = folder, key
        self._token = uuid.uuid4().hex
        self._last = time.monotonic()
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / OWNER) as temporary:
            temporary.write_text(self._token)

    def due(self) -> bool:
        """The last one is old enough for another."""
        return time.monotonic() - self._last >= SECONDS_BETWEEN

    def save(self, state: dict[str, Any]) -> None:
        """Write a checkpoint; the one before it stays as the previous generation.

        A full disk is reported, and the training goes on with the old checkpoint intact.

        Raises:
            OwnedByAnotherError: another process has taken over; nothing is written.
        """
        self._last = time.monotonic()
        self.check_owner()
        buffer = io.BytesIO()
        torch.save({"key": self.key, "state": state}, buffer)
        content = buffer.getvalue()
        try:
            with replacing(self.folder / "new.pt") as temporary:
                temporary.write_bytes(hashlib.sha256(content).digest() + content)
            if (self.folder / CURRENT).exists():
                os.replace(self.folder / CURRENT, self.folder / PREVIOUS)
            os.replace(self.folder / "new.pt", self.folder / CURRENT)
        except OSError as error:
            print(f"{self.folder}: no checkpoint written ({error}); the old one is intact", file=sys.stderr, flush=True)

    def load(self, device: torch.device) -> dict[str, Any] | None:
        """The state of the newest whole checkpoint of this key, or None. Damaged ones are reported."""
        for name in ("new.pt", CURRENT, PREVIOUS):
            path = self.folder / name
            if not path.exists():
                continue
            content = path.read_bytes()
            if hashlib.sha256(content[32:]).digest() != content[:32]:
                print(f"{path}: damaged, trying an older checkpoint", file=sys.stderr, flush=True)
                continue
            loaded = torch.load(io.BytesIO(content[32:]), map_location=device, weights_only=True)
            if loaded["key"] == self.key:
                return loaded["state"]
        return None

    def remove(self) -> None:
        """Delete all checkpoints: the results are written.

        Raises:
            OwnedByAnotherError: another process has taken over.
        """
        self.check_owner()
        shutil.rmtree(self.folder)

    def check_owner(self) -> None:
        """Refuse to go on if another process has taken over.

        Raises:
            OwnedByAnotherError: it has.
        """
        try:
            owner = (self.folder / OWNER).read_text()
        except OSError:
            owner = ""
        if owner != self._token:
            raise OwnedByAnotherError(
                f"{self.folder}: another process has taken over this run; this one stops without saving"
            )
