"""How a job opens a problem whose data lies in a folder with a card."""

from pathlib import Path
from typing import Any

from demix.datasets.common.card import read_available
from demix.specs.base import content
from demix.specs.problems import ProblemSpec
from demix.support.building import build
from demix.support.errors import DataError


def open_problem(spec: ProblemSpec, card: Path, seed: int, device: Any = "cpu") -> Any:
    """The problem of a seed, ready to draw from.

    Args:
        spec: the problem with its conditional.
        card: card.json of the folder that holds its data; of the same seed, where every seed has data of its own.
        seed: of the training data.
        device: where training data is drawn.

    Raises:
        DataError: the card says that the data is not available, or belongs to another problem or seed.
    """
    found = read_available(card)
    if found.get("spec") != content(spec.data_spec) or found.get("seed", seed) != seed:
        raise DataError(f"{card}: made for another problem or seed; delete its folder to have it made again")
    return build(spec, seed=seed, device=device, folder=card.parent)


def data_origin(spec: ProblemSpec, card: Path) -> dict[str, str]:
    """Which data that is, for the record: its kind, and the hash that its card has."""
    return {"kind": spec.data_spec.kind, "hash": read_available(card)["hash"]}
