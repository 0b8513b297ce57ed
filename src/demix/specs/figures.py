"""Figures, as data: what they show and where our choices lie."""

from typing import Annotated, Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt, model_validator

from demix.specs.base import Spec
from demix.specs.densities import GeneralizedNormal, Laplace, Normal
from demix.specs.figure_pictures import Gallery, GalleryPictures, TraversalPictures, Traversals

LARGEST_EXACT = 200.0
"""Concentration up to which exact expectations at finite M are computed."""


class Panel(Spec):
    """One panel: a sweep over the marginal of a problem."""

    title: str
    sweep: str = Field(description="name of an entry of `sweeps` that varies the marginal")


class MarginalSweep(Spec):
    """A score against the marginal's concentration, with the mass to move to uniform (ICML 2021, Figure 2)."""

    kind: Literal["marginal_sweep"] = "marginal_sweep"
    title: str
    metric: Literal["r2", "r2_held_out"] = Field("r2", description="score on the left axis")
    panels: dict[str, Panel] = Field(min_length=1, description="panels from left to right")
    notes: tuple[str, ...] = Field((), description="sentences for the caption, such as which settings are our choice")


class SphereCase(Spec):
    """Theorem 1 on a sphere with a uniform marginal and an isometric encoder."""

    dim: int = Field(ge=2, description="of the space around the sphere, N in the papers")
    concentration: NonNegativeFloat = Field(le=LARGEST_EXACT, description="kappa of the pairs")
    model_concentration: PositiveFloat = Field(le=LARGEST_EXACT, description="k = radius^2 / tau of the model")


class MinimumCase(Spec):
    """Proposition 1: which concentration of the model has the smallest loss."""

    dim: int = Field(ge=2)
    concentration: PositiveFloat = Field(le=LARGEST_EXACT / 4, description="kappa of the pairs")
    negatives: PositiveInt = 1024


class MassCase(Spec):
    """A marginal whose mass to move is estimated by simulation too: of the sphere or of the box [0, 1]^dim."""

    dim: int = Field(10, ge=2)
    concentration: PositiveFloat | None = Field(None, description="of a von Mises-Fisher marginal on the sphere")
    std: PositiveFloat | None = Field(None, description="of a normal marginal in the box")

    @model_validator(mode="after")
    def _one_marginal(self) -> "MassCase":
        if (self.concentration is None) == (self.std is None):
            raise ValueError("give either concentration (sphere) or std (box)")
        return self


BoxDensity = Annotated[Laplace | Normal | GeneralizedNormal, Field(discriminator="kind")]


class Theory(Spec):
    """The theorems as numbers: simulations beside exact expectations."""

    kind: Literal["theory"] = "theory"
    title: str
    seed: NonNegativeInt = Field(0, description="of all simulations")
    draws: PositiveInt = Field(2_000_000, description="similarities in a simulation: anchors times negatives")
    negatives: tuple[PositiveInt, ...] = Field(min_length=1, description="numbers of independent negatives M")
    sphere: tuple[SphereCase, ...] = Field((), description="cases of Theorem 1")
    minimum: tuple[MinimumCase, ...] = Field((), description="cases of Proposition 1")
    box: tuple[BoxDensity, ...] = Field((), description="conditionals of Theorem 3 on the box [0, 1]^dim")
    box_dims: tuple[Literal[1, 2], ...] = Field((1, 2), description="numbers of coordinates for Theorem 3")
    masses: tuple[MassCase, ...] = Field((), description="marginals whose mass to move is simulated")
    trained_dim: int = Field(10, ge=2, description="number of latents of the published runs")
    trained_negatives: PositiveInt = Field(6144, description="negatives of the published runs")
    notes: tuple[str, ...] = ()


class MaskTraces(Spec):
    """Sequences of masks, with their factors and the codes that a trained run has for them over time."""

    kind: Literal["mask_traces"] = "mask_traces"
    title: str
    run: str = Field(description="run whose codes are shown; it must be trained on mask sequences")
    seed: NonNegativeInt = Field(0, description="its seed that is shown")
    notes: tuple[str, ...] = ()


class LatentScores(Spec):
    """Which latents of pictures each run recovers: R2 of every latent, where tables print the mean."""

    kind: Literal["latent_scores"] = "latent_scores"
    title: str
    runs: dict[str, str] = Field(min_length=1, description="run by what the figure calls it; all of the same latents")
    evaluation_set: str = Field("test", description="what the runs are scored on")
    notes: tuple[str, ...] = ()


class ThreeDIdentTraversals(Spec):
    """Pictures in which one latent at a time varies: a column a latent, a row a value (ICML 2021, Figure 3)."""

    kind: Literal["threedident_traversals"] = "threedident_traversals"
    title: str
    pictures: TraversalPictures = Traversals()
    notes: tuple[str, ...] = ()


class ThreeDIdentGallery(Spec):
    """Random pictures."""

    kind: Literal["threedident_gallery"] = "threedident_gallery"
    title: str
    pictures: GalleryPictures = Gallery()
    notes: tuple[str, ...] = ()


PICTURE_FIGURES = (ThreeDIdentTraversals, ThreeDIdentGallery)

Figure = Annotated[
    MarginalSweep | MaskTraces | LatentScores | Theory | ThreeDIdentTraversals | ThreeDIdentGallery,
    Field(discriminator="kind"),
]
