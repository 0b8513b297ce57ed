"""The convolutional encoder, as data."""

from typing import ClassVar

from pydantic import Field, PositiveInt

from demix.specs.networks.common.sizes import CONV_KERNEL, LayerSize, check_image
from demix.specs.networks.encoders import EncoderSpec


class ConvEncoderSpec(EncoderSpec):
    """Convolutions that halve the image, one that takes what is left, a linear layer; ReLU between them.

    The defaults are the "beta-VAE H" network of the authors' code for images of 64 x 64.
    """

    efficiency: ClassVar[float] = 1 / 4  # a few small images do not fill a device
    channels: tuple[PositiveInt, ...] = Field(
        (32, 32, 64, 64), min_length=1, description="of the convolutions with kernel 4 and stride 2"
    )
    features: PositiveInt = Field(256, description="channels of the convolution that takes all that is left")

    def check(self, observation_shape: tuple[int, ...]) -> None:
        """Refuse observations that it cannot take.

        Raises:
            ValueError: they are no images, or cannot be halved so often.
        """
        check_image("conv", observation_shape, len(self.channels))

    def layers(self, observation_shape: tuple[int, ...], outputs: int) -> list[LayerSize]:
        """Sizes of its layers."""
        channels, size, _ = observation_shape
        sizes = []
        for wider in self.channels:
            size //= 2
            sizes.append(LayerSize(channels * wider * (CONV_KERNEL * size) ** 2, wider * size**2))
            channels = wider
        last = LayerSize(channels * size**2 * self.features, self.features)
        return [*sizes, last, LayerSize(self.features * outputs, outputs)]
