"""A synthetic generative process, as data: space, marginal, conditional and generator."""

from typing import Annotated, ClassVar

from pydantic import Field, model_validator

from demix.specs.base import ForEvaluation
from demix.specs.families import kinds, member
from demix.specs.latents.densities import Density
from demix.specs.latents.generators import Generator
from demix.specs.latents.generators.mixing import MixingSpec
from demix.specs.latents.spaces import Space
from demix.specs.problems import ProblemSpec
from demix.support.errors import unknown


class SyntheticProblemSpec(ProblemSpec):
    """Latents z with a known density, pairs (z, z~) with a known conditional, observations x = g(z)."""

    has_own_data: ClassVar[bool] = True
    has_raw_score: ClassVar[bool] = True
    space: Space
    dim: int = Field(10, ge=2, description="number of latents, N in the papers")
    marginal: Density = Field(description="p(z); off the uniform ones centred at e1, the box centre or 0")
    conditional: Density | None = Field(None, description="p(z~|z); none for problems that need no pairs")
    generator: Generator = MixingSpec()
    evaluation_samples: Annotated[int, ForEvaluation()] = Field(
        4096, ge=2, description="fresh latents from the marginal to score on"
    )

    @model_validator(mode="after")
    def _densities_exist_on_the_space(self) -> "SyntheticProblemSpec":
        space = self.space.kind
        for role, density in (("marginal", self.marginal), ("conditional", self.conditional)):
            if density is not None and space not in density.spaces:
                raise ValueError(f"{role}: {unknown(f'density of space {space}', density.kind, _densities_of(space))}")
        return self

    @property
    def latent_count(self) -> int:
        return self.dim

    @property
    def has_pairs(self) -> bool:
        """It has a conditional to draw partners from."""
        return self.conditional is not None

    @property
    def observation_shape(self) -> tuple[int, ...]:
        return self.generator.observation_shape(self.dim)

    @property
    def evaluation_sets(self) -> tuple[str, ...]:
        return ("marginal",)

    @property
    def data_spec(self) -> "SyntheticProblemSpec":
        return self.without_conditional

    @property
    def data_label(self) -> str:
        return f"{self.space.kind}-{self.marginal.kind}-n{self.dim}"

    @property
    def labels(self) -> dict[str, str]:
        conditional = self.conditional.label if self.conditional else ""
        return {"space": self.space.label, "marginal": self.marginal.label, "conditional": conditional}

    @property
    def without_conditional(self) -> "SyntheticProblemSpec":
        """What decides the generator and the evaluation latents: everything but the pairs."""
        return self.model_copy(update={"conditional": None})


def _densities_of(space: str) -> list[str]:
    """Kinds of the densities of demix that live on a space."""
    family = "latents.densities"
    return [kind for kind in kinds(family) if space in member(family, kind).spaces]  # type: ignore[attr-defined]
