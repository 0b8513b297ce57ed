"""Generators g, as data: how observations are made of latents."""

from typing import Annotated

from pydantic import SerializeAsAny

from demix.specs.base import Component
from demix.specs.families import member_of


class GeneratorSpec(Component):
    """A map from latents to observations."""

    def observation_shape(self, dim: int) -> tuple[int, ...]:
        """Shape of an observation of `dim` latents."""
        raise NotImplementedError


Generator = Annotated[SerializeAsAny[GeneratorSpec], member_of("latents.generators", default="mixing")]
