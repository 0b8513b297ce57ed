"""The convolutional decoder, as data."""

from itertools import pairwise

from pydantic import Field, PositiveInt

from demix.specs.networks.common.sizes import CONV_KERNEL, LayerSize, check_image
from demix.specs.networks.decoders import DecoderSpec


class ConvDecoderSpec(DecoderSpec):
    """A linear layer, a transposed convolution to the smallest image, others that double it; ReLU between them.

    The defaults are those of the authors' code for images of 64 x 64. It gives logits.
    """

    features: PositiveInt = Field(256, description="units of the linear layer")
    channels: tuple[PositiveInt, ...] = Field(
        (64, 64, 32, 32), min_length=1, description="of the images, from the smallest on"
    )

    def check(self, observation_shape: tuple[int, ...]) -> None:
        """Refuse observations that it cannot make.

        Raises:
            ValueError: they are no images, or cannot be halved so often.
        """
        check_image("decoder conv", observation_shape, len(self.channels))

    def layers(self, observation_shape: tuple[int, ...], inputs: int) -> list[LayerSize]:
        """Sizes of its layers."""
        size = observation_shape[1] // 2 ** len(self.channels)
        first, *_ = self.channels
        sizes = [
            LayerSize(inputs * self.features, self.features),
            LayerSize(self.features * first * size**2, first * size**2),
        ]
        for before, after in pairwise([*self.channels, observation_shape[0]]):
            sizes.append(LayerSize(before * after * (CONV_KERNEL * size) ** 2, after * (2 * size) ** 2))
            size *= 2
        return sizes
