"""How well codes recover the true factors: linear R2 and the mean correlation coefficient. Arrays in, fractions out."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demix.arrays import checked
from demix.maps import dot_product_agreement, isometry_gap, off_permutation


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


def mean_correlation(
    factors: ArrayLike,
    codes: ArrayLike,
    *,
    correlation: Literal["pearson", "spearman"] = "pearson",
    padded: bool = False,
) -> float:
    """Mean correlation coefficient (MCC) under the best assignment of codes to factors.

    ICML 2021, Tables 2 to 5 ("identifiability up to generalised permutations"): absolute correlations of all
    (factor, code) pairs, the assignment with the largest sum, the mean of the assigned values. A constant code
    counts as correlation 0. With more codes than factors the surplus is left over: the assignment is rectangular.

    Args:
        factors: true latents, shape (samples, factors).
        codes: shape (samples, codes), at least as many codes as factors.
        correlation: "pearson", or "spearman" for ranks.
        padded: as in the SlowVAE code, fill the factors up with standard normal noise until there is one for every
            code, assign all of them, and average over the genuine ones. Noise competes for codes, so the value can be
            a little lower.

    Returns:
        A fraction; 1 is a perfect match up to order, sign and scale (any monotone map for "spearman"). NaN if the
        codes are not finite.

    Raises:
        ValueError: the arrays do not fit each other, there are fewer codes than factors, or an unknown correlation.
    """
    from scipy.optimize import linear_sum_assignment

    z, h = checked(factors, codes)
    if h.shape[1] < z.shape[1]:
        raise ValueError(f"{h.shape[1]} codes cannot be assigned to {z.shape[1]} factors")
    if correlation not in ("pearson", "spearman"):
        raise ValueError(f"correlation is pearson or spearman, got {correlation!r}")
    if not np.isfinite(h).all():
        return float("nan")
    genuine = z.shape[1]
    if padded:
        z = np.column_stack([z, np.random.default_rng(0).standard_normal((len(z), h.shape[1] - genuine))])
    if correlation == "spearman":
        z, h = _ranks(z), _ranks(h)
    table = np.abs(_standardised(z).T @ _standardised(h)) / len(z)
    rows, columns = linear_sum_assignment(table, maximize=True)  # rows in order
    return float(table[rows, columns][:genuine].mean())


def _ranks(x: NDArray) -> NDArray:
    """Ranks in every column; equal values share the average of theirs."""
    # scipy.stats and pandas have this too, but take as long to import as all the rest of a scoring job
    return np.column_stack([_column_ranks(column) for column in x.T])


def _column_ranks(column: NDArray) -> NDArray:
    _, place, counts = np.unique(column, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


def _standardised(x: NDArray) -> NDArray:
    """Columns with mean 0 and variance 1; a constant column becomes 0."""
    constant = np.ptp(x, axis=0) == 0
    centred = x - x.mean(axis=0)
    return np.where(constant, 0.0, centred / np.where(constant, 1.0, centred.std(axis=0)))


SCORES: dict[str, Callable[..., float]] = {
    "r2": linear_r2,
    "r2_held_out": lambda z, h: linear_r2(z, h, held_out=True),
    "mcc": mean_correlation,
    "mcc_spearman": lambda z, h: mean_correlation(z, h, correlation="spearman"),
    "mcc_spearman_padded": lambda z, h: mean_correlation(z, h, correlation="spearman", padded=True),
    "isometry_gap": isometry_gap,
    "dot_products": dot_product_agreement,
    "off_permutation": off_permutation,
}
"""Every score that `demix.score` computes, by the name that tables use."""
