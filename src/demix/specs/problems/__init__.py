"""Problems, as data: what a training draws its batches from, and what each says of itself to the rest of demix."""

import hashlib
import json
from typing import Annotated, Any, ClassVar

from pydantic import SerializeAsAny

from demix.specs.base import Component, content
from demix.specs.datasets import DatasetSpec
from demix.specs.families import member_of


class ProblemSpec(Component):
    """What every problem says of itself."""

    has_own_data: ClassVar[bool] = False
    """Every seed has data of its own, made here; data sets are shared by all seeds."""

    has_raw_score: ClassVar[bool] = False
    """A run without a model scores its raw observations."""

    @property
    def has_pairs(self) -> bool:
        """It has partners to draw."""
        return True

    @property
    def latent_count(self) -> int:
        """Number of latents, or of factors that are known."""
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
        """What decides an evaluation set beside the data: by default, all fields that are for evaluation."""
        training = content(self, evaluation=False)
        return {key: value for key, value in content(self).items() if key not in training}

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
        """What its data is, in the name of a folder; may be empty."""
        return ""

    @property
    def external(self) -> bool:
        """Its data may not be available."""
        return self.dataset is not None and self.dataset.external

    @property
    def stand_in(self) -> bool:
        """Its data is made up in place of published data."""
        return self.dataset is not None and self.dataset.stand_in

    @property
    def labels(self) -> dict[str, str]:
        """Label columns of tables: space, marginal and conditional."""
        raise NotImplementedError


Problem = Annotated[SerializeAsAny[ProblemSpec], member_of("problems", default="synthetic")]
