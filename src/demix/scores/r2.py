"""R2 of a linear regression from codes to factors."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demix.scores.common.arrays import checked


def linear_r2(factors: ArrayLike, codes: ArrayLike, *, held_out: bool = False) -> float:
    """R2 of a linear regression with intercept from codes to factors, averaged over the factors.

    ICML 2021, Tables 1 and 4 ("identifiability up to affine transformations"). Fitted and scored on the same
    samples as in the authors' code; `held_out` fits on the first half and scores on the second.

    Args:
        factors: true latents, shape (samples, factors).
        codes: what an encoder made of the observations, shape (samples, codes).

    Returns:
        A fraction; 1 is a perfect affine map. NaN if the codes are not finite or a factor is constant.

    Raises:
        ValueError: the arrays are not two-dimensional or differ in their number of samples.
    """
    return float(np.mean(linear_r2_of_each(factors, codes, held_out=held_out)))


def linear_r2_of_each(factors: ArrayLike, codes: ArrayLike, *, held_out: bool = False) -> NDArray:
    """The R2 of `linear_r2` for every factor, (factors,)."""
    z, h = checked(factors, codes)
    if not np.isfinite(h).all():
        return np.full(z.shape[1], np.nan)
    half = len(z) // 2
    fit, test = (slice(0, half), slice(half, None)) if held_out else (slice(None), slice(None))
    # numpy's least squares: importing scikit-learn would take longer than a whole scoring job
    center = h[fit].mean(axis=0)
    solution = np.linalg.lstsq(_with_intercept(h[fit] - center), z[fit])[0]
    residual = z[test] - _with_intercept(h[test] - center) @ solution
    spread = z[test] - z[test].mean(axis=0)
    return 1 - (residual**2).sum(axis=0) / (spread**2).sum(axis=0)


def _with_intercept(h: NDArray) -> NDArray:
    return np.column_stack([h, np.ones(len(h))])


class R2:
    """`linear_r2` as a score of an evaluation set."""

    def __init__(self, *, held_out: bool):
        self.held_out = held_out

    def value(self, codes: NDArray, known: Mapping[str, NDArray], generator: np.random.Generator) -> float:
        """The result of `linear_r2`, a fraction."""
        return linear_r2(known["factors"], codes, held_out=self.held_out)
