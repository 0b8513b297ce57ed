"""Mean and deviation of the channels of a data set's own images, which a problem may normalise with."""

import numpy as np
from numpy.typing import NDArray

DIGITS = 4
"""Of mean and deviation: they are constants of the data set, as those that papers print are."""


class Moments:
    """Mean of the channels and mean of every image's own standard deviation, collected chunk by chunk.

    Args:
        white: the byte that stands for 1.
    """

    def __init__(self, white: int = 255) -> None:
        self._white, self._count = white, 0
        self._means: NDArray | float = 0.0
        self._stds: NDArray | float = 0.0

    def add(self, images: NDArray[np.uint8]) -> None:
        """Take more images into account, (n, height, width, channels)."""
        for image in images:
            values = image.reshape(-1, image.shape[-1]).astype(np.float32) / self._white
            self._means = self._means + values.mean(axis=0).astype(np.float64)
            self._stds = self._stds + values.std(axis=0).astype(np.float64)
        self._count += len(images)

    def summary(self) -> dict[str, list[float]]:
        """ "mean" and "std" of the channels, for images in [0, 1]."""
        sums = {"mean": self._means, "std": self._stds}
        return {
            name: [round(float(value), DIGITS) for value in np.atleast_1d(total) / max(self._count, 1)]
            for name, total in sums.items()
        }
