"""Data cards: small files that say what data there is, or why there is none and what helps.

A step that fetches or makes data exits with status 0 even if that fails, and leaves a card that says so: tables whose
data is missing are then shown as skipped, and all others are made. A card counts attempts: the next workflow tries
again what was not available, and leaves alone what is.
"""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from demix.specs.base import Spec, content
from demix.support.errors import DataError
from demix.support.files import read_json, write_json

CARD = "card.json"


def write_available(
    folder: Path,
    spec: Spec,
    key: str,
    files: Iterable[Path],
    counts: Mapping[str, int],
    statistics: Mapping[str, Any],
    attempt: int = 1,
) -> None:
    """Write the card of data that is there, last of all its files.

    Args:
        folder: of the data.
        spec: what decides its content.
        key: digest of that, for the record.
        files: the data, in a fixed order; their digest becomes the card's hash.
        counts: how much there is, by what.
        statistics: what a reader wants to compare, such as ranges.
        attempt: which attempt this was.
    """
    digest = hashlib.sha256()
    for file in files:
        with open(file, "rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    about = {"hash": digest.hexdigest(), "counts": dict(counts), "statistics": dict(statistics)}
    _write(folder, spec, key, attempt, {"available": True, "reason": "", "remedy": "", **about})


def write_unavailable(folder: Path, spec: Spec, key: str, reason: str, remedy: str, attempt: int = 1) -> None:
    """Write the card of data that could not be had.

    Args:
        reason: what is wrong, as one clause.
        remedy: what the user can do.
    """
    about = {"hash": "", "counts": {}, "statistics": {}}
    _write(folder, spec, key, attempt, {"available": False, "reason": reason, "remedy": remedy, **about})


def _write(folder: Path, spec: Spec, key: str, attempt: int, about: dict[str, Any]) -> None:
    origin = {"attempt": attempt, "key": key, "spec": content(spec)}
    write_json(folder / CARD, about | origin)


def read_available(card: Path) -> dict[str, Any]:
    """The card of data that is there.

    Raises:
        DataError: it is not there, or its card is missing or damaged.
    """
    found = read_json(card)
    if not found.get("available"):
        raise DataError(f"{card}: {found.get('reason', 'not available')}; {found.get('remedy', '')}")
    return found


def card_hash(card: Path) -> str:
    """The hash of data that is there, or "not available"."""
    found = read_card(card)
    return found["hash"] if found.get("available") else "not available"


def next_attempt(card: Path) -> int:
    """The number of the attempt that a workflow plans: that of the card if its data is there, else one more.

    As a parameter of the step that fetches the data it makes Snakemake try again exactly what was not available.
    """
    found = read_card(card)
    number = int(found.get("attempt", 0))
    return number if found.get("available") else number + 1


def missing_after(card: Path, attempt: int = 0) -> dict[str, str] | None:
    """Reason and remedy, if the data is not available after at least `attempt` attempts; else None."""
    found = read_card(card)
    if not found or found.get("available") or found.get("attempt", 0) < attempt:
        return None
    return {"reason": found.get("reason", "not available"), "remedy": found.get("remedy", "")}


def read_card(card: Path) -> dict[str, Any]:
    """Empty if it is missing or damaged."""
    try:
        return read_json(card)
    except DataError:
        return {}
