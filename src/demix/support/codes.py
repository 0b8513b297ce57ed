"""Files of codes of a run with one seed: the only module that reads and writes them. Never imports torch.

codes.npz is written by a training, and holds these arrays for each evaluation set:

    <set>/codes          codes (samples, codes)
    <set>/factors        true factors (samples, factors), if they are known; likewise <set>/labels (samples,),
                         <set>/groups (samples,) and <set>/frames (samples,), the numbers of the frames in the data set
    <set>/score/<name>   a score that was computed when codes.npz was written, in place of codes: raw images are too
                         large to be stored as codes

An evaluation set that is added or changed later is encoded into a file of its own, sets/<set>-<key>.npz, with the same
names of arrays; <key> has eight digits and tells apart different samples under one name of a set.
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
        codes: (samples, codes); None if `scores` were stored in their place.
        known: what is known of the samples by name, such as "factors", each with one row a sample.
        scores: values of scores that were computed by the step that encoded, by their name; mostly none.
    """

    codes: NDArray | None
    known: Mapping[str, NDArray] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)


def set_file(name: str, key: str) -> str:
    """File of a set that was encoded after the training, relative to the folder of its run and seed."""
    return f"{SETS}/{name}-{key}.npz"


def file_of_set(folder: Path, name: str, key: str) -> Path | None:
    """The file that holds an evaluation set of a finished training; None if the set has not been encoded yet.

    Args:
        folder: of the run and seed.
        name: of the set.
        key: eight digits, as `ProblemSpec.set_key` gives them.

    Raises:
        DataError: provenance.json of the training is missing or damaged.
    """
    if Provenance.read(folder / PROVENANCE).sets.get(name) == key:
        return folder / FILE
    later = folder / set_file(name, key)
    return later if later.exists() else None


def write_codes(path: Path, sets: Mapping[str, CodedSet]) -> None:
    """Write sets, by their name, to a file. If that fails no incomplete file is left."""
    arrays: dict[str, NDArray] = {}
    for name, coded in sets.items():
        if coded.codes is not None:
            arrays[f"{name}/{CODES}"] = coded.codes
        arrays |= {f"{name}/{what}": np.asarray(values) for what, values in coded.known.items()}
        arrays |= {f"{name}/{GIVEN}{score}": np.array(value) for score, value in coded.scores.items()}
    write_arrays(path, **arrays)


def read_codes(*paths: Path) -> dict[str, CodedSet]:
    """Evaluation sets by their name. Where two files have a set of the same name, the later file in `paths` counts.

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
