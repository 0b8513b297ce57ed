"""A model, as data: encoder, output space and objective."""

from pydantic import Field, PositiveInt, model_validator

from demix.specs.base import Spec
from demix.specs.networks.encoders import Encoder
from demix.specs.networks.encoders.mlp import MLPSpec
from demix.specs.networks.outputs import Output
from demix.specs.objectives import Objective


class ModelSpec(Spec):
    """What is trained: f = output(encoder(x)), and the objective it is trained with."""

    encoder: Encoder = MLPSpec()
    output: Output
    objective: Objective
    codes: PositiveInt | None = Field(None, description="number of codes; none: as many as the problem has latents")

    @model_validator(mode="after")
    def _parts_fit(self) -> "ModelSpec":
        if self.objective.numbers_a_code != self.output.numbers_a_code:
            needed, given = self.objective.numbers_a_code, self.output.numbers_a_code
            raise ValueError(
                f"objective {self.objective.kind} needs an output layer of {needed} numbers a code"
                f"{' (output gaussian)' if needed == 2 else ''}, but output {self.output.kind} has {given}"
            )
        return self
