"""The best linear map h = A z + c from factors to codes.

ICML 2021: with a matching model on the sphere h is an orthogonal map that keeps dot products (Theorem 2), in a box with
p other than 2 a scaled signed permutation (Theorem 6), with p = 2 and nothing else a scaled isometry only (Theorem 5).
"""

import numpy as np
from numpy.typing import NDArray


def best_linear_map(z: NDArray, h: NDArray) -> NDArray:
    """A of the least-squares fit h = A z + c, shape (codes, factors)."""
    return np.linalg.lstsq(centred(z), centred(h))[0].T


def centred(x: NDArray) -> NDArray:
    return x - x.mean(axis=0)
