"""The contract of scores."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Score(Protocol):
    """The implementation of a score. `build(spec)` makes one from a spec."""

    def value(self, codes: NDArray, known: Mapping[str, NDArray], generator: np.random.Generator) -> float:
        """The score of codes.

        A training that diverged has codes that are NaN or infinite, and a table shows it as a cell of its own: return
        NaN for such codes, not an error. `demix.scores.common.arrays.checked` checks shapes and converts to float64.

        Args:
            codes: (samples, codes).
            known: what is known of the samples, by name, each with a row for every sample: at least the arrays that
                `needs` of the spec names, such as "factors" (samples, factors). It must not be changed.
            generator: the only source of randomness. It is the same for the same seed of a run, so that a score can be
                computed again.

        Returns:
            A fraction if the spec's `unit` is "percent" (1.0 is shown as 100), else a number in that unit.

        Raises:
            ValueError: the score is not defined for these arrays, such as fewer codes than factors. The message becomes
                an error of one line that names run, evaluation set and score.
        """
