"""Encoders, as data: networks from observations to what an output layer takes."""

from typing import Annotated, ClassVar

from pydantic import SerializeAsAny

from demix.specs.base import Component
from demix.specs.families import member_of
from demix.specs.networks.common.sizes import LayerSize


class EncoderSpec(Component):
    """A network. Its implementation is built with `observation_shape`, `dim` (numbers that it puts out) and a
    `generator` of its initial weights, beside the fields."""

    efficiency: ClassVar[float] = 1.0
    """How fast a device computes its layers, relative to what `demix.workflow.budget` assumes."""

    def check(self, observation_shape: tuple[int, ...]) -> None:
        """Refuse observations that it cannot take.

        Raises:
            ValueError: it cannot.
        """

    def layers(self, observation_shape: tuple[int, ...], outputs: int) -> list[LayerSize]:
        """Sizes of its layers, from which run time and memory of a cluster's jobs are estimated; empty if unknown."""
        return []


Encoder = Annotated[SerializeAsAny[EncoderSpec], member_of("networks.encoders", default="mlp")]
