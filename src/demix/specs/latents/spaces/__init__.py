"""Latent spaces, as data."""

from typing import Annotated

from pydantic import SerializeAsAny

from demix.specs.base import Component
from demix.specs.families import member_of


class SpaceSpec(Component):
    """A space that latents live in."""

    @property
    def label(self) -> str:
        """How tables name it."""
        return self.kind.capitalize()


Space = Annotated[SerializeAsAny[SpaceSpec], member_of("latents.spaces")]
