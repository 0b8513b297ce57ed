"""A run, resolved at the chosen scale, with its key and its seeds: all that other code needs to know of it."""

from dataclasses import dataclass
from functools import cached_property

from demix.experiment.keys import result_key
from demix.specs.run import RunSpec

TRAINING_MODULES = ("demix.training.trainee", "demix.support.building", "demix.support.randomness")
RAW_MODULES = ("demix.problems.common.raw", "demix.support.building", "demix.support.randomness")


@dataclass(frozen=True)
class Run:
    """A resolved run.

    Args:
        id: as written in the configuration.
        spec: all that decides its result, seeds apart.
        published: the same at the published settings.
        seeds: those that the scale asks for.
        published_seeds: number of seeds at the published settings.
        suite: the one that defines it.
    """

    id: str
    spec: RunSpec
    published: RunSpec
    seeds: range = range(1)
    published_seeds: int = 1
    suite: str = ""

    @cached_property
    def key(self) -> str:
        """Key of its results."""
        if self.is_raw and self.has_own_data:
            return self.data_key
        if self.is_raw:
            return result_key(self.spec, *RAW_MODULES)
        return result_key(self.spec, *TRAINING_MODULES, evaluation=False)

    @cached_property
    def data_key(self) -> str:
        """Key of its data, such as mixing network and evaluation latents, which the conditional does not touch."""
        return result_key(self.spec.problem.data_spec)

    @property
    def has_own_data(self) -> bool:
        """Every seed has data of its own, made here; image data sets are shared by all seeds."""
        return self.spec.problem.has_own_data

    @property
    def is_raw(self) -> bool:
        """The raw observations are scored; nothing is trained."""
        return self.spec.model is None

    @property
    def comparable(self) -> bool:
        """Its problem is the published one, so its scores may be held against the printed ones."""
        return self.spec.problem == self.published.problem
