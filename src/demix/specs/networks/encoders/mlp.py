"""The fully connected encoder, as data."""

from itertools import pairwise
from typing import Literal

from pydantic import Field, PositiveInt

from demix.specs.networks.common.sizes import LayerSize
from demix.specs.networks.encoders import EncoderSpec


class MLPSpec(EncoderSpec):
    """Fully connected encoder f with leaky ReLU after every hidden layer (ICML 2021, Appendix A.3)."""

    hidden: tuple[PositiveInt, ...] = Field(
        (10, 50, 50, 50, 50, 10), description="hidden widths in multiples of the number of latents"
    )
    slope: float = Field(0.01, ge=0, lt=1, description="negative slope of the leaky ReLU")
    initialization: Literal["default", "kaiming", "looks_linear"] = Field(
        "default",
        description="default: PyTorch's Linear (published); kaiming: normal, fan-in, zero bias; looks_linear: "
        "mirrored orthogonal weights, so that the encoder starts as an orthogonal linear map",
    )

    def check(self, observation_shape: tuple[int, ...]) -> None:
        """Refuse observations that it cannot take.

        Raises:
            ValueError: they are no vectors.
        """
        if len(observation_shape) != 1:
            raise ValueError(f"encoder mlp takes vectors, not images of shape {observation_shape}")

    def layers(self, observation_shape: tuple[int, ...], outputs: int) -> list[LayerSize]:
        """Sizes of its layers."""
        widths = [*observation_shape, *(outputs * width for width in self.hidden), outputs]
        return [LayerSize(before * after, after) for before, after in pairwise(widths)]
