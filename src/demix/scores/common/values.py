"""The value of a score that a spec describes."""

from collections.abc import Mapping

from numpy.typing import NDArray

from demix.scores.common.base import Score
from demix.specs.scores import ScoreSpec
from demix.support.building import build
from demix.support.errors import ConfigError
from demix.support.randomness import numpy_generator


def value_of(spec: ScoreSpec, codes: NDArray, known: Mapping[str, NDArray], seed: int = 0) -> float:
    """A score of codes.

    Args:
        spec: of the score.
        codes: (samples, codes).
        known: what is known of the samples, by name, a row for each.
        seed: of the score's own randomness, such as a choice of samples.

    Returns:
        A fraction, or whatever the score's unit is.

    Raises:
        ConfigError: something that the score needs is not known, or it cannot be taken of these codes.
    """
    missing = [name for name in spec.needs if name not in known]
    if missing:
        there = f"only {', '.join(known)}" if known else "nothing"
        raise ConfigError(f"score {spec.name} needs {', '.join(missing)}, but {there} is known")
    score: Score = build(spec)
    try:
        return float(score.value(codes, known, numpy_generator(seed, "score", spec.name)))
    except ValueError as error:
        raise ConfigError(f"score {spec.name}: {error}") from None
