"""The contract of problems."""

from collections.abc import Iterable
from typing import Any, Protocol

from demix.problems.common.batch import Batch
from demix.problems.common.evaluation import EvaluationSet


class Problem(Protocol):
    """The implementation of a problem. `build(spec, seed=..., device=..., folder=...)` makes one from a spec.

    Its random draws depend on `seed` alone; batches are on `device`; `folder` holds its data and their card.
    """

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Shape of an observation, as the spec has it."""

    def batch(self, size: int) -> Batch:
        """The next training batch."""

    def evaluation_sets(self, names: Iterable[str] | None = None) -> dict[str, EvaluationSet]:
        """Sets to encode, by name: those that the spec says are scored, and others that figures show.

        Args:
            names: of those that are wanted; None for all.
        """

    def facts(self) -> dict[str, float]:
        """Numbers about the data that are shown below tables, by name, such as the mean distance of partners."""

    def state(self) -> Any:
        """Position in the stream of training batches."""

    def load_state(self, state: Any) -> None:
        """Go on from what `state` returned."""
