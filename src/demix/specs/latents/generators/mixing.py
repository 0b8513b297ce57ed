"""The mixing network, as data."""

from typing import Literal

from pydantic import Field, PositiveInt

from demix.specs.latents.generators import GeneratorSpec


class MixingSpec(GeneratorSpec):
    """The generator g: square linear maps without bias, leaky ReLU between them.

    The defaults are those of the authors' code, which the printed identity scores confirm; the paper speaks of
    "three hidden layers" and "minimum condition number of 25,000 samples" (ICML 2021, Appendix A.3).
    """

    layers: PositiveInt = Field(3, description="number of linear maps")
    slope: float = Field(0.2, gt=0, le=1, description="negative slope of the leaky ReLU")
    last_activation: bool = Field(False, description="an activation after the last map too")
    normalize: Literal["columns", "rows"] = Field("columns", description="which vectors of a map have unit norm")
    candidates: PositiveInt = Field(25_000, description="matrices drawn for each map")
    selection: Literal["best", "threshold"] = Field(
        "best",
        description="best: the best-conditioned of the candidates; threshold: the first fresh draw that is as "
        "well conditioned as the best of a pool of candidates, at most 40 pools",
    )

    def observation_shape(self, dim: int) -> tuple[int, ...]:
        """It does not change the dimension."""
        return (dim,)
