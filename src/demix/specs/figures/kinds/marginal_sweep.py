"""A score over the marginal of a problem, as data."""

from pydantic import Field

from demix.specs.base import Spec
from demix.specs.figures.kinds import FigureSpec
from demix.specs.scores import Score
from demix.specs.scores.r2 import R2Spec


class PanelSpec(Spec):
    """One panel: a sweep over the marginal of a problem."""

    title: str
    sweep: str = Field(description="name of an entry of `sweeps` that varies the marginal")


class MarginalSweepSpec(FigureSpec):
    """A score against the marginal's concentration, with the mass to move to uniform (ICML 2021, Figure 2)."""

    score: Score = Field(R2Spec(), description="score on the left axis")
    panels: dict[str, PanelSpec] = Field(min_length=1, description="panels from left to right")
