"""Sequences of masks with their codes over time, as data."""

from pydantic import Field, NonNegativeInt

from demix.specs.figures.kinds import FigureSpec


class MaskTracesSpec(FigureSpec):
    """Sequences of masks, with their factors and the codes that a trained run has for them over time."""

    run: str = Field(description="run whose codes are shown; it must be trained on mask sequences")
    seed: NonNegativeInt = Field(0, description="its seed that is shown")
