"""The spec of a run: all settings that decide its result, except the seed."""

from pydantic import model_validator

from demix.specs.base import Spec
from demix.specs.model import ModelSpec
from demix.specs.problems import Problem
from demix.specs.training import TrainingSpec


class RunSpec(Spec):
    """A run is (problem, model, training). Without a model the raw observations are scored: the identity baseline."""

    problem: Problem
    model: ModelSpec | None = None
    training: TrainingSpec | None = None

    @model_validator(mode="after")
    def _parts_fit(self) -> "RunSpec":
        if (self.model is None) != (self.training is None):
            there, missing = ("model", "training") if self.model else ("training", "model")
            raise ValueError(
                f"a run has both a model and a training or neither; this one has a {there} but no {missing}"
            )
        if self.model:
            self._model_fits(self.model)
        elif not self.problem.has_raw_score:
            raise ValueError(f"a problem of kind {self.problem.kind} has no score of its raw observations")
        return self

    def _model_fits(self, model: ModelSpec) -> None:
        if model.objective.needs_pairs and not self.problem.has_pairs:
            raise ValueError(f"objective {model.objective.kind} needs pairs, but the problem has no conditional")
        shape = self.problem.observation_shape
        model.encoder.check(shape)
        model.objective.check(shape)

    @property
    def codes(self) -> int:
        """Number of codes that the encoder gives: as many as there are latents unless the model says otherwise."""
        return (self.model.codes if self.model else None) or self.problem.latent_count
