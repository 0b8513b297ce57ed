"""Decoders, as data: networks from codes to observations."""

from typing import Annotated

from pydantic import SerializeAsAny

from demix.specs.base import Component
from demix.specs.families import member_of
from demix.specs.networks.common.sizes import LayerSize


class DecoderSpec(Component):
    """A network. Its implementation is built with `observation_shape`, `dim` (number of codes) and a `generator` of its
    initial weights, beside the fields."""

    def check(self, observation_shape: tuple[int, ...]) -> None:
        """Refuse observations that it cannot make.

        Raises:
            ValueError: it cannot.
        """

    def layers(self, observation_shape: tuple[int, ...], inputs: int) -> list[LayerSize]:
        """Sizes of its layers, from which run time and memory of a cluster's jobs are estimated; empty if unknown."""
        return []


Decoder = Annotated[SerializeAsAny[DecoderSpec], member_of("networks.decoders", default="conv")]
