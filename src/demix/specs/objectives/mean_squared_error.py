"""Supervised regression, as data."""

from typing import ClassVar

from demix.specs.objectives import ObjectiveSpec


class MeanSquaredErrorSpec(ObjectiveSpec):
    """Supervised regression to the true latents: mean over samples and coordinates."""

    needs_pairs: ClassVar[bool] = False
