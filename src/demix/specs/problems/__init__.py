"""Problems, as data: what a training draws its batches from, and what each says of itself to the rest of demix."""

import hashlib
import json
from typing import Annotated, Any, ClassVar

from pydantic import SerializeAsAny

from demix.specs.base import Component, ForEvaluation, content
from demix.specs.datasets import DatasetSpec
from demix.specs.families import member_of


class ProblemSpec(Component):
    """What every problem says of itself. Its implementation is a `demix.problems.common.base.Problem`."""

    has_own_data: ClassVar[bool] = False
    """True if each seed has data of its own, which a step of the workflow makes; data sets are shared by all seeds."""

    has_raw_score: ClassVar[bool] = False
    """A run without a model scores its raw observations."""

    @property
    def has_pairs(self) -> bool:
        """Whether it draws pairs, which contrastive objectives need."""
        return True

    @property
    def latent_count(self) -> int:
        """Number of latents, or of known factors."""
        raise NotImplementedError

    @property
    def known(self) -> tuple[str, ...]:
        """Names of what is known of each sample of an evaluation set that is scored, such as "factors"."""
        return ("factors",) if self.latent_count else ()

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Shape of an observation."""
        raise NotImplementedError

    @property
    def evaluation_sets(self) -> tuple[str, ...]:
        """Names of the sets that codes are scored on, the one that tables show first."""
        raise NotImplementedError

    def evaluation_of(self, name: str) -> dict[str, Any]:
        """The settings that decide the samples of an evaluation set, given the data: by default all fields that are
        marked with `ForEvaluation`. They are what `set_key` is a digest of."""
        marked = (
            (name, value)
            for name, value, field in self.fields()
            if any(isinstance(mark, ForEvaluation) for mark in field.metadata)
        )
        return {name: content(value) for name, value in marked}

    def set_key(self, name: str) -> str:
        """Eight digits that tell an evaluation set of a run from others of its name."""
        text = json.dumps({"set": name, **self.evaluation_of(name)}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    @property
    def dataset(self) -> DatasetSpec | None:
        """The data set that it reads; None if its data is made here."""
        return None

    @property
    def data_spec(self) -> Component:
        """What decides the content of its data, those of a seed or those that all seeds share."""
        raise NotImplementedError

    @property
    def data_label(self) -> str:
        """Name of its data in the names of folders; may be empty."""
        return ""

    @property
    def external(self) -> bool:
        """Whether getting its data can fail."""
        return self.dataset is not None and self.dataset.external

    @property
    def stand_in(self) -> bool:
        """Whether its data is synthetic and replaces a published data set."""
        return self.dataset is not None and self.dataset.stand_in

    @property
    def labels(self) -> dict[str, str]:
        """Label columns of tables: space, marginal and conditional."""
        raise NotImplementedError


Problem = Annotated[SerializeAsAny[ProblemSpec], member_of("problems", default="synthetic")]
