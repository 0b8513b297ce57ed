"""A store of score values on disk: a value is computed again only if codes, score or its source code have changed."""

import hashlib
import json
from pathlib import Path

from numpy.typing import NDArray

from demix.experiment.keys import result_key
from demix.scores.common.values import value_of
from demix.specs.scores import ScoreSpec
from demix.support.codes import CodedSet
from demix.support.errors import ConfigError, DataError
from demix.support.files import read_json, write_json


def kept_value(spec: ScoreSpec, coded: CodedSet, seed: int, folder: Path | None) -> float:
    """The value of a score on an evaluation set: from the file of codes if that has it (raw images), else from the
    store, else computed and stored.

    Args:
        spec: of the score.
        coded: codes and what is known of their samples.
        seed: of the score's own randomness.
        folder: of the store; None: the value is computed and not stored.

    Raises:
        ConfigError: there are no codes, or something that the score needs is not known.
    """
    if spec.name in coded.scores:
        return coded.scores[spec.name]
    if coded.codes is None:
        raise ConfigError(f"score {spec.name} cannot be computed without codes; given are {', '.join(coded.scores)}")
    if folder is None:
        return value_of(spec, coded.codes, coded.known, seed)
    file = folder / f"{value_key(spec, coded, seed)}.json"
    value = _read(file)
    if value is None:
        value = value_of(spec, coded.codes, coded.known, seed)
        write_json(file, {"score": spec.name, "seed": seed, "value": value})
    return value


def value_key(spec: ScoreSpec, coded: CodedSet, seed: int) -> str:
    """Digest of all that decides a value: codes, what the score needs of what is known, the score and its code."""
    arrays = {"codes": coded.codes} | {name: coded.known[name] for name in spec.needs if name in coded.known}
    digests = {name: _digest(array) for name, array in arrays.items() if array is not None}
    code = result_key(spec, "demix.scores.common.values")
    return hashlib.sha256(json.dumps([code, digests, seed], sort_keys=True).encode()).hexdigest()


def _digest(array: NDArray) -> str:
    about = f"{array.dtype.str} {array.shape} ".encode()
    return hashlib.sha256(about + array.tobytes()).hexdigest()


def _read(file: Path) -> float | None:
    """A value that is kept; None if there is none, or its file is damaged."""
    try:
        return float(read_json(file)["value"])
    except (DataError, KeyError, TypeError):
        return None
