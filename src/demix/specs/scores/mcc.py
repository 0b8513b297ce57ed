"""The mean correlation coefficient, as data."""

from typing import ClassVar, Literal

from pydantic import Field

from demix.specs.scores import ScoreSpec


class MCCSpec(ScoreSpec):
    """Mean absolute correlation of factors and codes under the best assignment (ICML 2021, Tables 2 to 5)."""

    head: ClassVar[str] = "MCC [%]"
    correlation: Literal["pearson", "spearman"] = Field("pearson", description="spearman: of ranks")
    padded: bool = Field(
        False, description="fill the factors up with noise until there is one for every code, as the SlowVAE code does"
    )
