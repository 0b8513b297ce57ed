"""Distance from a permutation, as data."""

from typing import ClassVar

from demix.specs.scores import ScoreSpec


class OffPermutationSpec(ScoreSpec):
    """Share of the squared entries of the best linear map outside the best one-to-one assignment."""

    head: ClassVar[str] = "Off permutation [%]"
