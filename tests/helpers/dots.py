"""A data set of a user's own: twenty made images of a dot, whose place is known. No file is needed."""

from typing import ClassVar

import numpy as np

from demix.datasets.common.conversion import Conversion, Inputs, whole
from demix.specs.datasets import DatasetSpec


class DotsSpec(DatasetSpec):
    """A dot on a dark ground."""

    external: ClassVar[bool] = False
    count: int = 20

    @property
    def shape(self) -> tuple[int, int, int]:
        return 1, 16, 16

    @property
    def factors(self) -> tuple[str, ...]:
        return "row", "column"


class Dots:
    """Draws the dots."""

    def __init__(self, *, count: int):
        self.count = count

    def convert(self, inputs: Inputs) -> Conversion:
        factors = np.random.default_rng(0).uniform(-1, 1, (self.count, 2)).astype(np.float32)
        row, column = (7.5 + 6 * factors.T)[:, :, None, None]
        y, x = np.mgrid[:16, :16]
        images = 255 * np.exp(-((y - row) ** 2 + (x - column) ** 2) / 8)
        labels = (factors[:, 0] > 0).astype(np.int64)
        return Conversion({"train": whole(images.astype(np.uint8)[..., None], factors=factors, labels=labels)})
