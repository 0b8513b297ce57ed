"""Pairs of 3DIdent pictures, as data: which two pictures are taken to belong together, and what is scored."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from demix.specs.base import Component, named
from demix.specs.densities import GeneralizedNormal, Laplace, Normal
from demix.specs.pictures import SPLITS, PictureData, RenderedPictures

EVAL_MODE = "_eval_mode"
"""Ends the name of an evaluation set that is encoded with the running averages of batch norm."""

Conditional = Annotated[Annotated[Normal | Laplace | GeneralizedNormal, Field(discriminator="kind")], named]


class MatchedPairs(Component):
    """Two pictures of nearby latents: a pair of the conditional, each matched to the nearest picture there is."""

    implementation: ClassVar[str] = "demix.matched_pairs:MatchedPairs"
    kind: Literal["matched_pairs"] = "matched_pairs"
    conditional: Conditional = Field(
        Normal(std=0.1), description="around the first, truncated to the box [-1, 1] in every latent"
    )
    anchors: Literal["matched", "data"] = Field(
        "matched",
        description="matched: the first is drawn in the box and matched too, the second around the draw, as in the "
        "code; data: the first is a picture, the second around its latents, as the paper has it",
    )
    neighbours: Literal["exact", "ivf_hnsw"] = Field(
        "exact", description="exact: a k-d tree; ivf_hnsw: the paper's approximate index, which needs faiss-cpu"
    )

    @property
    def label(self) -> str:
        return self.conditional.label


class Augmentations(Component):
    """Two random views of one picture: crop, colour jitter, grayscale (ICML 2021, Appendix A.2.3)."""

    implementation: ClassVar[str] = "demix.augmentations:Augmentations"
    kind: Literal["augmentations"] = "augmentations"
    smallest_crop: float = Field(0.08, gt=0, le=1, description="least share of the area that a crop keeps")
    strength: float = Field(1.0, ge=0, le=1.25, description="of the colour jitter, as a multiple of 0.8, 0.8, 0.8, 0.2")
    jitter: float = Field(0.8, ge=0, le=1, description="probability of the colour jitter")
    grayscale: float = Field(0.2, ge=0, le=1, description="probability of grey pictures")
    flip: bool = Field(False, description="flip half of the views horizontally, which the paper does not mention")

    @property
    def label(self) -> str:
        return "augmentations"


Views = Annotated[Annotated[MatchedPairs | Augmentations, Field(discriminator="kind")], named]


class PicturePairs(Component):
    """Pairs of 3DIdent pictures (ICML 2021, Tables 4 and 5)."""

    implementation: ClassVar[str] = "demix.picture_pairs:PicturePairs"
    has_pairs: ClassVar[bool] = True
    has_raw_score: ClassVar[bool] = True
    stand_in: ClassVar[bool] = False
    """Pictures are rendered as the published ones were."""
    kind: Literal["picture_pairs"] = "picture_pairs"
    data: PictureData = RenderedPictures()
    views: Views = MatchedPairs()
    normalization: Literal["source", "authors", "own"] = Field(
        "source",
        description="mean and std of the input: authors: the constants of their code; own: those of the pictures; "
        "source: the former for published pictures, the latter for rendered ones",
    )
    evaluation_samples: int = Field(25_000, ge=4, description="pictures of each split to score on, for all seeds")
    evaluation_batch: int = Field(512, ge=2, description="pictures that share the statistics of batch norm")
    whole_batches: bool = Field(True, description="drop what does not fill the last one, as in the code")
    eval_mode: bool = Field(True, description="score with running averages of batch norm too, as a set of its own")
    identity_samples: int = Field(4096, ge=4, description="pictures of each split for the score of raw pixels")

    @model_validator(mode="after")
    def _enough_pictures(self) -> "PicturePairs":
        fewest = min(self.data.train, self.data.test)
        if fewest < 4:
            raise ValueError(f"data: at least 4 pictures to train and 4 to score on are needed, got {fewest}")
        return self

    @property
    def dim(self) -> int:
        """Number of latents that vary."""
        return len(self.data.free)

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Channels, height and width."""
        return 3, self.data.pixels, self.data.pixels

    @property
    def evaluation_sets(self) -> tuple[str, ...]:
        """Names of the sets that codes are scored on."""
        modes = ("", EVAL_MODE) if self.eval_mode else ("",)
        return tuple(f"{split}{mode}" for mode in modes for split in reversed(SPLITS))

    @property
    def external(self) -> bool:
        """Its data may not be available."""
        return self.data.external

    @property
    def data_spec(self) -> PictureData:
        """What decides the data's content; all seeds share it."""
        return self.data

    @property
    def labels(self) -> dict[str, str]:
        """Label columns of tables."""
        return {"space": "Box", "marginal": "Uniform", "conditional": self.views.label}
