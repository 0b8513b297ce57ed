"""Pictures with their latents, as training has them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class PictureFolder:
    """Open data.

    Args:
        pictures: by split, (count, size, size, 3) uint8, mapped into memory.
        latents: by split, (count, 10) float32, raw units.
        mean, std: of the channels of the pictures to train on, in [0, 1]; std is the mean of the pictures' own.
    """

    pictures: Mapping[str, NDArray[np.uint8]]
    latents: Mapping[str, NDArray[np.float32]]
    mean: tuple[float, ...]
    std: tuple[float, ...]
