"""A synthetic generative process, as data: space, marginal, conditional and mixing network."""

from typing import ClassVar, Literal

from pydantic import Field, PositiveInt, model_validator

from demix.errors import unknown
from demix.specs.base import Component, Spec
from demix.specs.densities import DENSITIES_OF_SPACE, Density
from demix.specs.spaces import Space


class Mixing(Spec):
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


class SyntheticProblem(Component):
    """Latents z with a known density, pairs (z, z~) with a known conditional, observations x = g(z)."""

    implementation: ClassVar[str] = "demix.synthetic:SyntheticProblem"
    has_raw_score: ClassVar[bool] = True
    """A run without a model scores its raw observations."""
    kind: Literal["synthetic"] = "synthetic"
    space: Space
    dim: int = Field(10, ge=2, description="number of latents, N in the papers")
    marginal: Density = Field(description="p(z); off the uniform ones centred at e1, the box centre or 0")
    conditional: Density | None = Field(None, description="p(z~|z); none for problems that need no pairs")
    mixing: Mixing = Mixing()
    evaluation_samples: int = Field(4096, ge=2, description="fresh latents from the marginal to score on")

    @model_validator(mode="after")
    def _densities_exist_on_the_space(self) -> "SyntheticProblem":
        kind = self.space.kind
        for role, density in (("marginal", self.marginal), ("conditional", self.conditional)):
            if density is not None and density.kind not in DENSITIES_OF_SPACE[kind]:
                raise ValueError(
                    f"{role}: {unknown(f'density of space {kind}', density.kind, DENSITIES_OF_SPACE[kind])}"
                )
        return self

    @property
    def has_pairs(self) -> bool:
        """It has a conditional to draw partners from."""
        return self.conditional is not None

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Shape of an observation: g does not change the dimension."""
        return (self.dim,)

    @property
    def evaluation_sets(self) -> tuple[str, ...]:
        """Names of the sets that codes are scored on."""
        return ("marginal",)

    @property
    def external(self) -> bool:
        """Its data is made here, as published."""
        return False

    @property
    def stand_in(self) -> bool:
        """Its data is no replacement."""
        return False

    @property
    def data_spec(self) -> "SyntheticProblem":
        """What decides the data of a seed."""
        return self.without_conditional

    @property
    def labels(self) -> dict[str, str]:
        """Label columns of tables."""
        conditional = self.conditional.label if self.conditional else ""
        return {"space": self.space.label, "marginal": self.marginal.label, "conditional": conditional}

    @property
    def without_conditional(self) -> "SyntheticProblem":
        """What decides the mixing network and the evaluation latents: everything but the pairs."""
        return self.model_copy(update={"conditional": None})
