"""Images, as data: a data set, a pair law, and what is known of each sample."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from demix.specs.base import ForEvaluation
from demix.specs.datasets import Dataset, DatasetSpec
from demix.specs.pairs import PairLaw
from demix.specs.problems import ProblemSpec
from demix.support.errors import unknown

EVAL_MODE = "_eval_mode"
"""Ends the name of an evaluation set that is encoded with the running averages of batch norm."""

NORMALIZATIONS = ("default", "none", "own")


class ImagesSpec(ProblemSpec):
    """Pairs of images of one data set (ICML 2021, Tables 3 to 5; 2020 workshop, Table 5)."""

    has_raw_score: ClassVar[bool] = True
    data: Dataset
    pairs: PairLaw
    shrink: Literal[1, 2, 4] = Field(1, description="images are averaged over blocks of shrink x shrink pixels")
    held_out: float = Field(
        0.0, ge=0, lt=1, description="share of the sequences that is not trained on, for a score of its own"
    )
    normalization: str = Field(
        "default",
        description="mean and std of the input: none; own: those of the images to train on; a name of constants of "
        "the data set, such as authors; default: what the data set says",
    )
    evaluation_samples: Annotated[int, ForEvaluation()] = Field(
        10_000, ge=2, description="images of each split to score on, the same for all seeds"
    )
    evaluation_batch: Annotated[int, ForEvaluation()] = Field(
        4096, ge=2, description="images that are encoded together and share the statistics of batch norm"
    )
    whole_batches: Annotated[bool, ForEvaluation()] = Field(
        False, description="drop what does not fill the last one, as in the code of 3DIdent"
    )
    eval_mode: Annotated[bool, ForEvaluation()] = Field(
        False, description="score with running averages of batch norm too, as a set of its own"
    )
    identity_samples: Annotated[int, ForEvaluation()] = Field(
        4096, ge=4, description="images of each split for the score of raw pixels"
    )

    @model_validator(mode="after")
    def _parts_fit(self) -> "ImagesSpec":
        self.pairs.check(self.data)
        if self.held_out and not self.data.has_sequences:
            raise ValueError(f"held_out: data set {self.data.kind} has no sequences to hold out")
        allowed = [*NORMALIZATIONS, *self.data.constants]
        if self.normalization not in allowed:
            raise ValueError(f"normalization: {unknown('normalization', self.normalization, allowed)}")
        return self

    @property
    def latent_count(self) -> int:
        """Number of factors that vary."""
        return len(self.data.factors)

    @property
    def known(self) -> tuple[str, ...]:
        """What the data set knows of its images."""
        return self.data.known

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Channels, height and width."""
        channels, height, width = self.data.shape
        return channels, height // self.shrink, width // self.shrink

    @property
    def evaluation_sets(self) -> tuple[str, ...]:
        splits = self.data.evaluation_splits + (("held_out",) if self.held_out else ())
        return splits + (tuple(f"{split}{EVAL_MODE}" for split in splits) if self.eval_mode else ())

    def evaluation_of(self, name: str) -> dict[str, Any]:
        """The score of raw pixels has samples of its own, and whether there are other sets does not matter."""
        decides = super().evaluation_of(name)
        return {key: value for key, value in decides.items() if key not in ("identity_samples", "eval_mode")}

    @property
    def dataset(self) -> DatasetSpec:
        return self.data

    @property
    def data_spec(self) -> DatasetSpec:
        return self.data

    @property
    def labels(self) -> dict[str, str]:
        return self.data.labels | {"conditional": self.pairs.label}
