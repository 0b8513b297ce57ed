"""A training budget and recipe, as data."""

from typing import Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from demix.specs.base import Spec
from demix.specs.training.optimizers import Optimizer
from demix.specs.training.optimizers.adam import AdamSpec


class TrainingSpec(Spec):
    """Steps on freshly drawn batches. The defaults are the published contrastive settings.

    The number of threads is part of the recipe since it decides the last bits of the result on a CPU.
    """

    steps: PositiveInt = 300_003
    batch_size: int = Field(6144, ge=2, description="pairs in a step")
    learning_rate: PositiveFloat = 1e-4
    schedule: Literal["constant", "cosine"] = Field("constant", description="cosine: decay to 0 over the steps")
    warmup_steps: NonNegativeInt = Field(0, description="linear rise of the learning rate from 0")
    rate_factors: dict[str, PositiveFloat] = Field(
        {}, description="learning rate of single parameters as a multiple, by the end of their name: {bound: 10}"
    )
    optimizer: Optimizer = AdamSpec()
    threads: PositiveInt = Field(1, description="CPU threads")
    kernel: Literal["eager", "compiled"] = Field(
        "eager",
        description="how losses that are no matrix products are computed; compiled: faster with large batches, "
        "after half a minute of compiling; eager all the same where there is no compiler. Only last digits differ",
    )
    precision: Literal["float32", "tf32", "bf16"] = Field(
        "float32",
        description="of the encoder's matrix products in training; tf32 is that of NVIDIA GPUs and float32 elsewhere. "
        "Losses, weights and the codes that are scored stay float32",
    )
