"""SOAP, as data."""

from pydantic import Field, PositiveInt

from demix.specs.training.optimizers import OptimizerSpec


class SOAPSpec(OptimizerSpec):
    """Adam on each weight matrix in the eigenbases of its gradients (Vyas et al. 2024), on other parameters Adam."""

    every: PositiveInt = Field(20, description="steps between two updates of the eigenbases")
