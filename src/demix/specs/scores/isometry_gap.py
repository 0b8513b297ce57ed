"""Distance from an isometry, as data."""

from typing import ClassVar

from demix.specs.scores import ScoreSpec


class IsometryGapSpec(ScoreSpec):
    """Distance of the best linear map from factors to codes to the nearest scaled orthogonal one, relative."""

    head: ClassVar[str] = "Isometry gap [%]"
