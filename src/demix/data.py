"""Data as files: a folder with a card that says what is in it, and how a training job opens it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from demix.building import build
from demix.datasets.card import read_available
from demix.errors import DataError
from demix.files import read_arrays
from demix.specs.problems import Problem


def open_problem(spec: Problem, card: Path, seed: int, device: Any = "cpu") -> Any:
    """The problem of a seed, ready to draw from.

    Args:
        spec: the problem with its conditional.
        card: card.json of the folder that holds its data; of the same seed, where every seed has data of its own.
        seed: of the training data.
        device: where training data is drawn.

    Raises:
        DataError: the card says that the data is not available, or belongs to another problem or seed.
    """
    content = read_available(card)
    if content.get("spec") != spec.data_spec.model_dump(mode="json") or content.get("seed", seed) != seed:
        raise DataError(f"{card}: made for another problem or seed; delete its folder to have it made again")
    return build(spec, seed=seed, device=device, **CONTENTS[spec.kind](card.parent))


def data_origin(spec: Problem, card: Path) -> dict[str, str]:
    """Which data that is, for the record: its kind, and the hash that its card has."""
    return {"kind": spec.data_spec.kind, "hash": read_available(card)["hash"]}


def _mixing(folder: Path) -> dict[str, Any]:
    arrays = read_arrays(folder / "mixing.npz")
    return {"weights": [arrays[f"layer{i}"] for i in range(len(arrays))]}


def _masks(folder: Path) -> dict[str, Any]:
    from demix.datasets.mask_folder import read_sequences

    return {"sequences": read_sequences(folder)}


def _pictures(folder: Path) -> dict[str, Any]:
    from demix.datasets.picture_folder import open_pictures

    return {"pictures": open_pictures(folder)}


CONTENTS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "synthetic": _mixing,
    "mask_pairs": _masks,
    "picture_pairs": _pictures,
}
"""What a problem is built with beside its spec, from the folder of its data, by its kind."""
