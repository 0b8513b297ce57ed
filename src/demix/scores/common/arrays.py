"""What every score requires of its arrays."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def checked(factors: ArrayLike, codes: ArrayLike) -> tuple[NDArray, NDArray]:
    """Factors and codes in double precision.

    Raises:
        ValueError: they are not two-dimensional or differ in their number of samples.
    """
    z, h = np.asarray(factors, dtype=np.float64), np.asarray(codes, dtype=np.float64)
    if z.ndim != 2 or h.ndim != 2 or len(z) != len(h):
        raise ValueError(f"need (samples, factors) and (samples, codes), got {z.shape} and {h.shape}")
    return z, h
