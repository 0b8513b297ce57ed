"""One run, resolved: all that decides its result, seeds apart."""

from pydantic import model_validator

from demix.specs.base import Spec
from demix.specs.model import Model
from demix.specs.problem import SyntheticProblem
from demix.specs.training import Training


class RunSpec(Spec):
    """A run is (problem, model, training). Without a model the raw observations are scored: the identity baseline."""

    problem: SyntheticProblem
    model: Model | None = None
    training: Training | None = None

    @model_validator(mode="after")
    def _parts_fit(self) -> "RunSpec":
        if (self.model is None) != (self.training is None):
            there, missing = ("model", "training") if self.model else ("training", "model")
            raise ValueError(
                f"a run has both a model and a training or neither; this one has a {there} but no {missing}"
            )
        if self.model and self.model.objective.needs_pairs and self.problem.conditional is None:
            raise ValueError(f"objective {self.model.objective.kind} needs pairs, but the problem has no conditional")
        return self
