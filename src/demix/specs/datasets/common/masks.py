"""What specs of mask sequences share."""

from typing import ClassVar

from demix.specs.datasets import DatasetSpec

SIZE = 64
"""Height and width of a mask in pixels."""


class MasksSpec(DatasetSpec):
    """Sequences of silhouettes. Factors: vertical and horizontal centre, area."""

    has_sequences: ClassVar[bool] = True

    @property
    def shape(self) -> tuple[int, int, int]:
        return 1, SIZE, SIZE

    @property
    def factors(self) -> tuple[str, ...]:
        return "vertical", "horizontal", "area"
