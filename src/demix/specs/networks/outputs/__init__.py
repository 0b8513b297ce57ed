"""Output layers, as data: the space that codes live in."""

from typing import Annotated, ClassVar

from pydantic import SerializeAsAny

from demix.specs.base import Component
from demix.specs.families import member_of


class OutputSpec(Component):
    """A layer from what an encoder puts out to codes. Its implementation is built with `dim`, the number of codes."""

    numbers_a_code: ClassVar[int] = 1
    """Numbers that the encoder puts out for each code."""

    @property
    def label(self) -> str:
        """How tables name the model's space."""
        return self.kind.capitalize()


Output = Annotated[SerializeAsAny[OutputSpec], member_of("networks.outputs")]
