"""Optimizers, as data."""

from typing import Annotated

from pydantic import SerializeAsAny

from demix.specs.base import Component
from demix.specs.families import member_of


class OptimizerSpec(Component):
    """How gradients move parameters. Its implementation is built with `parameters` and `factor`, the multiple of their
    learning rate, beside the fields."""


Optimizer = Annotated[SerializeAsAny[OptimizerSpec], member_of("training.optimizers", default="adam")]
