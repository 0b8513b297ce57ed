"""Data as files: a folder with a card that says what is in it, and how a training job opens it."""

from pathlib import Path
from typing import Any

from demix.building import build
from demix.errors import DataError
from demix.files import read_arrays, read_json
from demix.specs.problem import SyntheticProblem


def open_problem(spec: SyntheticProblem, card: Path, seed: int, device: Any = "cpu") -> Any:
    """The problem of a seed, ready to draw from.

    Args:
        spec: the problem with its conditional.
        card: card.json of the folder that `demix.synthetic_problem` wrote for the same seed.
        seed: of the training data.
        device: where training data is drawn.

    Raises:
        DataError: the card says that the data is not available, or belongs to another problem or seed.
    """
    content = read_json(card)
    if not content.get("available"):
        raise DataError(f"{card}: {content.get('reason', 'not available')}; {content.get('remedy', '')}")
    expected = spec.without_conditional.model_dump(mode="json")
    if content.get("seed") != seed or content.get("spec") != expected:
        raise DataError(f"{card}: made for another problem or seed; delete its folder to have it made again")
    arrays = read_arrays(card.parent / "mixing.npz")
    return build(spec, seed=seed, device=device, weights=[arrays[f"layer{i}"] for i in range(len(arrays))])
