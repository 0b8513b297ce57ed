"""The value of a score that a spec describes."""

from collections.abc import Mapping

from numpy.typing import NDArray

from demix.specs.scores import ScoreSpec
from demix.support.building import build
from demix.support.errors import ConfigError


def value_of(spec: ScoreSpec, codes: NDArray, known: Mapping[str, NDArray]) -> float:
    """A score of codes.

    Args:
        spec: of the score.
        codes: (samples, codes).
        known: what is known of the samples.

    Raises:
        ConfigError: something that the score needs is not known.
    """
    missing = [name for name in spec.needs if name not in known]
    if missing:
        raise ConfigError(f"score {spec.name} needs {', '.join(missing)}; known are {', '.join(known) or 'none'}")
    return build(spec).value(codes, known)
