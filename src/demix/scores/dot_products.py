"""Do codes keep the dot products of factors?"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demix.scores.common.arrays import checked
from demix.scores.common.linear_map import centred


def dot_product_agreement(z: ArrayLike, h: ArrayLike) -> float:
    """How well dot products of codes agree with those of latents, both centred, up to one scale: linear CKA.

    <K_z, K_h> / (|K_z| |K_h|) for the matrices of all dot products, without ever forming them.

    Returns:
        A fraction; 1 for a scaled isometry. NaN if the codes are not finite, or constant.
    """
    z, h = checked(z, h)
    if not np.isfinite(h).all():
        return float("nan")
    z, h = centred(z), centred(h)
    own = np.linalg.norm(z.T @ z) * np.linalg.norm(h.T @ h)
    return float(np.linalg.norm(z.T @ h) ** 2 / own) if own else float("nan")


class DotProducts:
    """`dot_product_agreement` as a score of an evaluation set."""

    def value(self, codes: NDArray, known: Mapping[str, NDArray], generator: np.random.Generator) -> float:
        """The result of `dot_product_agreement`, a fraction."""
        return dot_product_agreement(known["factors"], codes)
