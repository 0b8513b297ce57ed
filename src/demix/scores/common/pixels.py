"""How much of the latents a linear map reads off raw pixels, of which there are many more than samples."""

import numpy as np
from numpy.typing import NDArray

COLUMNS = 4096
"""Pixels that are taken into double precision at a time."""

CUTOFF = 1e-12
"""Eigenvalues of the products below this share of the largest are rounding."""


def held_out_r2(pixels: NDArray, latents: NDArray) -> float:
    """R2 of a linear regression with intercept, fitted on the first half and scored on the second, mean over latents.

    The identity rows of ICML 2021, Tables 4 and 5. With fewer samples than pixels the regression has many solutions:
    this is the one of minimum norm, as least squares gives it, found among the products of samples (in the dual).

    Args:
        pixels: (samples, pixels).
        latents: (samples, latents).

    Returns:
        A fraction, comparable with `demix.scores.r2.linear_r2` with `held_out`.
    """
    half = len(pixels) // 2
    products = _products(pixels, half)
    z = latents.astype(np.float64)
    center = z[:half].mean(axis=0)
    values, vectors = np.linalg.eigh(products[:half])
    kept = values > CUTOFF * values[-1]
    weights = vectors[:, kept] @ ((vectors[:, kept].T @ (z[:half] - center)) / values[kept, None])
    residual = z[half:] - center - products[half:] @ weights
    spread = z[half:] - z[half:].mean(axis=0)
    return float(np.mean(1 - (residual**2).sum(axis=0) / (spread**2).sum(axis=0)))


def _products(pixels: NDArray, half: int) -> NDArray[np.float64]:
    """Dot products of all samples with those of the first half, centred at their mean, (samples, half)."""
    products = np.zeros((len(pixels), half))
    for first in range(0, pixels.shape[1], COLUMNS):
        part = pixels[:, first : first + COLUMNS].astype(np.float64)
        part -= part[:half].mean(axis=0)
        products += part @ part[:half].T
    return products
