"""Adam, as data."""

from demix.specs.training.optimizers import OptimizerSpec


class AdamSpec(OptimizerSpec):
    """Adam with torch's default betas and epsilon (published)."""
