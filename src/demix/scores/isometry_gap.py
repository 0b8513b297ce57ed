"""Is the map from factors to codes a scaled isometry?"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demix.scores.common.arrays import checked
from demix.scores.common.linear_map import best_linear_map


def isometry_gap(z: ArrayLike, h: ArrayLike) -> float:
    """Distance of the best linear map A from z to h to the nearest scaled orthogonal map, relative to A.

    min over s, Q of |A - s Q| / |A| in the Frobenius norm. On the unit sphere the codes' length fixes s = 1.

    Args:
        z: true latents, shape (samples, factors).
        h: codes, shape (samples, codes).

    Returns:
        A fraction; 0 for a scaled rotation or reflection, after any shift. NaN if the codes are not finite.

    Raises:
        ValueError: the arrays are not two-dimensional or differ in their number of samples, as for all scores.
    """
    z, h = checked(z, h)
    if not np.isfinite(h).all():
        return float("nan")
    size = np.linalg.svd(best_linear_map(z, h), compute_uv=False)
    return _root_ratio(((size - size.mean()) ** 2).sum(), (size**2).sum())


def _root_ratio(part: float, whole: float) -> float:
    return float(np.sqrt(part / whole)) if whole else float("nan")


class IsometryGap:
    """`isometry_gap` as a score of an evaluation set."""

    def value(self, codes: NDArray, known: Mapping[str, NDArray], generator: np.random.Generator) -> float:
        """The result of `isometry_gap`, a fraction."""
        return isometry_gap(known["factors"], codes)
