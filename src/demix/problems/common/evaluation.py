"""Evaluation sets: observations that are encoded, and what is known of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from numpy.typing import NDArray
from torch import Tensor

from demix.problems.common.observations import Stored


@dataclass(frozen=True)
class EvaluationSet:
    """Samples to encode.

    Args:
        observations: (samples, ...) on the CPU, or read piece by piece where they are too many to hold.
        known: what is known of the samples, by name, a row for each: "factors" (samples, factors), "labels"
            (samples,), "groups" (samples,) for intervention scores, "frames" (samples,), their numbers in the data.
    """

    observations: Tensor | Stored
    known: Mapping[str, NDArray] = field(default_factory=dict)
