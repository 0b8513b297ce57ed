"""Kinds of figures, as data."""

from typing import Annotated

from pydantic import Field, SerializeAsAny

from demix.specs.base import Component
from demix.specs.families import member_of


class FigureSpec(Component):
    """What every figure has."""

    title: str
    notes: tuple[str, ...] = Field((), description="sentences for the caption, such as which settings are our choice")


Figure = Annotated[SerializeAsAny[FigureSpec], member_of("figures.kinds")]
