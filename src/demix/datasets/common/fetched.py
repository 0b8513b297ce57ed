"""Files that were fetched for data sets: where they lie, and how damaged or wrong ones are set aside.

A file lies beside the folder of its card, not in it: the name of that folder depends on the checksum in the
configuration, and the file is found under any.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from demix.datasets.common.card import write_unavailable
from demix.datasets.common.checksums import remember
from demix.specs.base import parse
from demix.specs.datasets import FileSpec
from demix.support.files import read_json


def fetched_beside(card: Path, name: str) -> Path:
    """Place of a file whose card is `card`."""
    return card.parent.parent / name


def fetched_files(cards: Iterable[Path]) -> dict[str, Path]:
    """Files by their name, from their cards."""
    specs = {card: _spec(card) for card in cards}
    return {spec.name: fetched_beside(card, spec.name) for card, spec in specs.items()}


def remember_good(cards: Iterable[Path]) -> None:
    """Record the checksums of files that were converted without an error."""
    for card in cards:
        about: dict[str, Any] = read_json(card)["statistics"]
        remember(fetched_beside(card, _spec(card).name), about["sha256"], about["origin"])


def refuse_unchecked(cards: Iterable[Path], reason: str, hint: str) -> list[Path]:
    """Move files aside that could not be converted so that the next attempt fetches them again; returns their places.

    Files with a checksum in the configuration stay: they are known to be the right ones, and fetching them again would
    give the same bytes.
    """
    aside = []
    for card in cards:
        spec, found = _spec(card), read_json(card)
        file = fetched_beside(card, spec.name)
        if spec.md5 is None and spec.sha256 is None and file.exists():
            aside.append(refuse(file))
            help_text = remedy(file, found["statistics"].get("url", ""), hint)
            write_unavailable(card.parent, spec, "", reason, help_text, found["attempt"])
    return aside


def refuse(file: Path) -> Path:
    """Move a damaged or wrong file aside; returns its new place."""
    return file.replace(refused(file))


def refused(file: Path) -> Path:
    """Where a damaged or wrong file is moved to."""
    return file.with_name(f"{file.name}.refused")


def remedy(file: Path, url: str, hint: str) -> str:
    """What a user can do who lacks a file."""
    aside = f" (what was refused is {refused(file)})" if refused(file).exists() else ""
    also = f", {hint}," if hint else ""
    where = url or "its publisher"
    return f"get {file.name} from {where} with any tool, put it at {file}{also} and give the same command again{aside}"


def _spec(card: Path) -> FileSpec:
    return parse(FileSpec, read_json(card)["spec"], str(card))
