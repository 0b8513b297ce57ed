"""Codes of a run with one seed: the only reader and writer of codes.npz and of the sets beside it. Never imports torch.

codes.npz has, for each evaluation set, "<set>/codes" (samples, codes) and what is known of the samples, such as
"<set>/factors" (samples, factors), "<set>/labels", "<set>/groups", "<set>/frames"; "<set>/score/<name>" is a score that
a step has computed itself, where there is too much to keep as codes. Sets that were encoded later lie beside it in
sets/<set>-<first digits of the set's key>.npz, with the same names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from demix.support.errors import DataError
from demix.support.files import read_arrays, write_arrays
from demix.support.provenance import FILE as PROVENANCE
from demix.support.provenance import Provenance

FILE = "codes.npz"
SETS = "sets"
CODES = "codes"
GIVEN = "score/"


@dataclass(frozen=True)
class CodedSet:
    """An evaluation set after encoding.

    Args:
        codes: (samples, codes); None where there are scores in their place.
        known: what is known of the samples, by name, a row for each.
        scores: scores that were computed where the codes were, by their name.
    """

    codes: NDArray | None
    known: Mapping[str, NDArray] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)


def set_file(name: str, key: str) -> str:
    """Place of a set that was encoded later, below the folder of its run and seed."""
    return f"{SETS}/{name}-{key}.npz"


def file_of_set(folder: Path, name: str, key: str) -> Path | None:
    """The file that holds an evaluation set with this key of a finished training; None if it is still to be encoded.

    Raises:
        DataError: the training's record is missing or damaged.
    """
    if Provenance.read(folder / PROVENANCE).sets.get(name) == key:
        return folder / FILE
    later = folder / set_file(name, key)
    return later if later.exists() else None


def write_codes(path: Path, sets: Mapping[str, CodedSet]) -> None:
    """Write sets by their name to a file, whole or not at all."""
    arrays: dict[str, NDArray] = {}
    for name, coded in sets.items():
        if coded.codes is not None:
            arrays[f"{name}/{CODES}"] = coded.codes
        arrays |= {f"{name}/{what}": np.asarray(values) for what, values in coded.known.items()}
        arrays |= {f"{name}/{GIVEN}{score}": np.array(value) for score, value in coded.scores.items()}
    write_arrays(path, **arrays)


def read_codes(*paths: Path) -> dict[str, CodedSet]:
    """Sets by their name; a set that two files hold is that of the later one.

    Raises:
        DataError: a file is missing, damaged, or no file of codes.
    """
    sets: dict[str, CodedSet] = {}
    for path in paths:
        sets |= _read(path)
    return sets


def _read(path: Path) -> dict[str, CodedSet]:
    arrays = read_arrays(path)
    by_set: dict[str, dict[str, NDArray]] = {}
    for name, array in arrays.items():
        of, separator, what = name.partition("/")
        if not separator:
            raise DataError(f"{path}: '{name}' belongs to no evaluation set; delete it to have it made again")
        by_set.setdefault(of, {})[what] = array
    return {name: _coded(content) for name, content in by_set.items()}


def _coded(content: dict[str, NDArray]) -> CodedSet:
    known = {what: array for what, array in content.items() if what != CODES and not what.startswith(GIVEN)}
    scores = {what.removeprefix(GIVEN): float(value) for what, value in content.items() if what.startswith(GIVEN)}
    return CodedSet(content.get(CODES), known, scores)
