"""What specs of VAEs share."""

from typing import ClassVar

from pydantic import Field, PositiveFloat

from demix.specs.networks.common.sizes import LayerSize
from demix.specs.networks.decoders import Decoder
from demix.specs.networks.decoders.conv import ConvDecoderSpec
from demix.specs.objectives import ObjectiveSpec


class VAESpec(ObjectiveSpec):
    """A posterior (output gaussian) and a decoder of its own are trained."""

    numbers_a_code: ClassVar[int] = 2
    reconstruction_weight: PositiveFloat = Field(
        2.0, description="of the cross-entropy of the pixels; with 2, a beta of 8 is 4 in the usual form"
    )
    decoder: Decoder = ConvDecoderSpec()

    def check(self, observation_shape: tuple[int, ...]) -> None:
        """Refuse observations that the decoder cannot make."""
        self.decoder.check(observation_shape)

    def layers(self, observation_shape: tuple[int, ...], codes: int) -> list[LayerSize]:
        """Those of the decoder."""
        return self.decoder.layers(observation_shape, codes)
