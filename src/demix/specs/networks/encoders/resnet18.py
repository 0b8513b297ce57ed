"""ResNet-18, as data."""

from typing import ClassVar

from pydantic import Field, PositiveInt

from demix.specs.networks.common.sizes import LayerSize
from demix.specs.networks.encoders import EncoderSpec

STAGES = ((64, 1), (128, 2), (256, 2), (512, 2))
"""Channels of ResNet-18's four stages of two blocks each, and the stride that each begins with."""


class ResNet18Spec(EncoderSpec):
    """ResNet-18, not pretrained, its last layer with `hidden` outputs; leaky ReLU; a linear layer."""

    efficiency: ClassVar[float] = 10.0  # the authors' 28 hours on four RTX 2080 Ti
    hidden: PositiveInt = Field(100, description="outputs of ResNet-18's own last layer: the paper's 10 N")
    slope: float = Field(0.01, ge=0, lt=1, description="negative slope of the leaky ReLU")
    channels_last: bool = Field(
        False,
        description="memory order of images, for speed: only last digits differ, on a GPU from run to run too, since "
        "the gradient of max pooling then adds up in no fixed order",
    )

    def check(self, observation_shape: tuple[int, ...]) -> None:
        """Refuse observations that it cannot take.

        Raises:
            ValueError: they are no images in colour.
        """
        if len(observation_shape) != 3 or observation_shape[0] != 3:
            raise ValueError(f"encoder resnet18 takes images of three channels, not shape {observation_shape}")

    def layers(self, observation_shape: tuple[int, ...], outputs: int) -> list[LayerSize]:
        """Sizes of its layers."""
        size = _halved(observation_shape[1])
        sizes, size, channels = [LayerSize(3 * 64 * (7 * size) ** 2, 64 * size**2)], _halved(size), 64
        for wider, stride in STAGES:
            size = _halved(size) if stride == 2 else size
            values = wider * size**2
            shortcut = [LayerSize(channels * values, values)] if stride == 2 else []
            sizes += [LayerSize(9 * channels * values, values), *shortcut, *[LayerSize(9 * wider * values, values)] * 3]
            channels = wider
        return [*sizes, LayerSize(channels * self.hidden, self.hidden), LayerSize(self.hidden * outputs, outputs)]


def _halved(size: int) -> int:
    """Height of an image after a layer of stride 2."""
    return -(-size // 2)
