"""The mean correlation coefficient of codes and factors under the best assignment."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demix.scores.common.arrays import checked


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


class MCC:
    """`mean_correlation` as a score of an evaluation set."""

    def __init__(self, *, correlation: Literal["pearson", "spearman"], padded: bool):
        self.correlation, self.padded = correlation, padded

    def value(self, codes: NDArray, known: Mapping[str, NDArray], generator: np.random.Generator) -> float:
        """The result of `mean_correlation`, a fraction."""
        return mean_correlation(known["factors"], codes, correlation=self.correlation, padded=self.padded)
