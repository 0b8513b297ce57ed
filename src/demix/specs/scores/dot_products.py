"""Agreement of dot products, as data."""

from typing import ClassVar

from demix.specs.scores import ScoreSpec


class DotProductsSpec(ScoreSpec):
    """How well dot products of codes agree with those of factors, up to one scale: linear CKA."""

    head: ClassVar[str] = "Dot products [%]"
