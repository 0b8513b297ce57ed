"""Evaluation sets: observations that are encoded, and what is known of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from numpy.typing import NDArray
from torch import Tensor

from demix.problems.common.observations import Stored
from demix.support.errors import unknown


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


def chosen_sets(
    sets: Mapping[str, Callable[[], EvaluationSet]], names: Iterable[str] | None
) -> dict[str, EvaluationSet]:
    """Those sets that are wanted, each made when it is.

    Args:
        sets: what makes each, by name.
        names: None for all.

    Raises:
        ValueError: there is none of a name.
    """
    wanted = list(sets if names is None else names)
    for name in wanted:
        if name not in sets:
            raise ValueError(unknown("evaluation set", name, sets))
    return {name: sets[name]() for name in wanted}
