"""Is the map from factors to codes a scaled signed permutation?"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demix.scores.common.arrays import checked
from demix.scores.common.linear_map import best_linear_map


def off_permutation(z: ArrayLike, h: ArrayLike) -> float:
    """Share of the squared entries of the best linear map outside the best one-to-one assignment.

    Every code is first scaled to unit variance, so that each counts the same.

    Returns:
        A fraction; 0 for a scaled signed permutation, 0.46 on average for a random rotation of five factors. NaN
        if the codes are not finite, or constant.
    """
    from scipy.optimize import linear_sum_assignment

    z, h = checked(z, h)
    if not np.isfinite(h).all():
        return float("nan")
    spread = h.std(axis=0)
    if not spread.all():
        return float("nan")
    mass = best_linear_map(z, h / spread) ** 2
    return float(1 - mass[linear_sum_assignment(mass, maximize=True)].sum() / mass.sum())


class OffPermutation:
    """`off_permutation` as a score of an evaluation set."""

    def value(self, codes: NDArray, known: Mapping[str, NDArray], generator: np.random.Generator) -> float:
        """The result of `off_permutation`, a fraction."""
        return off_permutation(known["factors"], codes)
