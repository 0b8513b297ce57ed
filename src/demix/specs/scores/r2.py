"""Linear R2, as data."""

from typing import ClassVar

from pydantic import Field

from demix.specs.scores import ScoreSpec


class R2Spec(ScoreSpec):
    """R2 of a linear regression from codes to factors, mean over factors (ICML 2021, Tables 1 and 4)."""

    head: ClassVar[str] = "R² [%]"
    held_out: bool = Field(False, description="fit on the first half of the samples and score on the second")
