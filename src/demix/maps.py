"""Which kind of map h = f(g(z)) is: how far from a scaled isometry, and from a permutation. Arrays in, fractions out.

ICML 2021: with a matching model on the sphere h is an orthogonal map that keeps dot products (Theorem 2), in a box with
p other than 2 a scaled signed permutation (Theorem 6), with p = 2 and nothing else a scaled isometry only (Theorem 5).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demix.arrays import checked


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
    size = np.linalg.svd(_best_linear_map(z, h), compute_uv=False)
    return _root_ratio(((size - size.mean()) ** 2).sum(), (size**2).sum())


def dot_product_agreement(z: ArrayLike, h: ArrayLike) -> float:
    """How well dot products of codes agree with those of latents, both centred, up to one scale: linear CKA.

    <K_z, K_h> / (|K_z| |K_h|) for the matrices of all dot products, without ever forming them.

    Returns:
        A fraction; 1 for a scaled isometry. NaN if the codes are not finite, or constant.
    """
    z, h = checked(z, h)
    if not np.isfinite(h).all():
        return float("nan")
    z, h = _centred(z), _centred(h)
    own = np.linalg.norm(z.T @ z) * np.linalg.norm(h.T @ h)
    return float(np.linalg.norm(z.T @ h) ** 2 / own) if own else float("nan")


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
    mass = _best_linear_map(z, h / spread) ** 2
    return float(1 - mass[linear_sum_assignment(mass, maximize=True)].sum() / mass.sum())


def _best_linear_map(z: NDArray, h: NDArray) -> NDArray:
    """A of the least-squares fit h = A z + c, shape (codes, factors)."""
    return np.linalg.lstsq(_centred(z), _centred(h))[0].T


def _centred(x: NDArray) -> NDArray:
    return x - x.mean(axis=0)


def _root_ratio(part: float, whole: float) -> float:
    return float(np.sqrt(part / whole)) if whole else float("nan")
