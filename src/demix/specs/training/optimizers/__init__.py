"""Optimizers, as data.

The contract of the code behind a spec is `demix.training.optimizers.common.base.Optimizer`.
"""

from typing import Annotated

from pydantic import SerializeAsAny

from demix.specs.base import Component
from demix.specs.families import member_of


class OptimizerSpec(Component):
    """How a step changes parameters, given their gradients. Its implementation is a
    `demix.training.optimizers.common.base.Optimizer`; `demix.training.optimizers.adam` is one to copy. It is called
    with two arguments beside the fields: `parameters`, and `factor`, by which it multiplies the learning rate of each
    step.
    """


Optimizer = Annotated[SerializeAsAny[OptimizerSpec], member_of("training.optimizers", default="adam")]
