"""What the losses of Lp distances share: which similarity they stream, and what computes it."""

import torch
from torch import Tensor

from demix.objectives.kernels.compiled import lp_kernels
from demix.objectives.kernels.distances import MinusLp, MinusSquaredEuclidean
from demix.objectives.kernels.streaming import Similarity


def check_exponent(exponent: float) -> None:
    """Refuse an exponent that makes no distance.

    Raises:
        ValueError: it is below 1.
    """
    if exponent < 1:
        raise ValueError(f"exponent must be at least 1, got {exponent}")


def by_matrix_products(exponent: float, power: bool) -> bool:
    """The distances are computed by matrix products; the root of a small difference would lose too many digits."""
    return power and exponent == 2


def lp_similarity(exponent: float, power: bool, kernel: str, points: Tensor) -> Similarity:
    """Minus the distance of points like these, (rows, dim); for matrix products they must be centred.

    Args:
        exponent: p >= 1.
        power: the sum of |.|^p, else its p-th root.
        kernel: "eager" or "compiled".
    """
    if by_matrix_products(exponent, power):
        return MinusSquaredEuclidean()
    return MinusLp(exponent, power, lp_kernels(kernel, exponent, points.shape[1], points.device))


def lp_backend(kernel: str, exponent: float, power: bool, dim: int, device: torch.device) -> str:
    """What computes the distances, for the record; compiles the loops over pairs if `kernel` says so and p needs them.

    Args:
        kernel, exponent, power: see `lp_similarity`.
        dim: number of coordinates.
    """
    if by_matrix_products(exponent, power):
        return "eager"
    return lp_kernels(kernel, exponent, dim, device).name
