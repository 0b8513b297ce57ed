"""A model, as data: encoder, output space and objective."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar, Literal

from pydantic import Field, PositiveFloat, PositiveInt, model_validator

from demix.specs.base import Component, Spec, named, named_or
from demix.specs.objectives import Objective


@dataclass(frozen=True)
class LayerSize:
    """What a layer costs for one sample.

    Args:
        products: multiplications and additions, counted as one.
        values: numbers that it puts out.
    """

    products: int
    values: int


class MLPEncoder(Component):
    """Fully connected encoder f with leaky ReLU after every hidden layer (ICML 2021, Appendix A.3)."""

    implementation: ClassVar[str] = "demix.encoders:MLP"
    efficiency: ClassVar[float] = 1.0
    """How fast a device computes its layers, as a multiple of what `demix.budget` reckons with."""
    kind: Literal["mlp"] = "mlp"
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
            raise ValueError(f"encoder mlp takes vectors, not pictures of shape {observation_shape}")

    def layers(self, observation_shape: tuple[int, ...], outputs: int) -> list[LayerSize]:
        """Sizes of its layers."""
        widths = [*observation_shape, *(outputs * width for width in self.hidden), outputs]
        return [LayerSize(before * after, after) for before, after in pairwise(widths)]


CONV_KERNEL = 4
"""Height and width of the kernels that halve or double a picture (stride 2, padding 1)."""


class ConvEncoder(Component):
    """Convolutions that halve the picture, one that takes what is left, a linear layer; ReLU between them.

    The defaults are the "beta-VAE H" network of the authors' code for pictures of 64 x 64.
    """

    implementation: ClassVar[str] = "demix.conv_networks:ConvEncoder"
    efficiency: ClassVar[float] = 1 / 4  # a few small pictures do not fill a device
    kind: Literal["conv"] = "conv"
    channels: tuple[PositiveInt, ...] = Field(
        (32, 32, 64, 64), min_length=1, description="of the convolutions with kernel 4 and stride 2"
    )
    features: PositiveInt = Field(256, description="channels of the convolution that takes all that is left")

    def check(self, observation_shape: tuple[int, ...]) -> None:
        """Refuse observations that it cannot take.

        Raises:
            ValueError: they are no pictures, or cannot be halved so often.
        """
        _check_picture(self.kind, observation_shape, len(self.channels))

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


STAGES = ((64, 1), (128, 2), (256, 2), (512, 2))
"""Channels of ResNet-18's four stages of two blocks each, and the stride that each begins with."""


class ResNet18Encoder(Component):
    """ResNet-18, not pretrained, its last layer with `hidden` outputs; leaky ReLU; a linear layer."""

    implementation: ClassVar[str] = "demix.resnet:ResNet18"
    efficiency: ClassVar[float] = 10.0  # the authors' 28 hours on four RTX 2080 Ti
    kind: Literal["resnet18"] = "resnet18"
    hidden: PositiveInt = Field(100, description="outputs of ResNet-18's own last layer: the paper's 10 N")
    slope: float = Field(0.01, ge=0, lt=1, description="negative slope of the leaky ReLU")
    channels_last: bool = Field(
        False,
        description="memory order of pictures, for speed: only last digits differ, on a GPU from run to run too, since "
        "the gradient of max pooling then adds up in no fixed order",
    )

    def check(self, observation_shape: tuple[int, ...]) -> None:
        """Refuse observations that it cannot take.

        Raises:
            ValueError: they are no pictures in colour.
        """
        if len(observation_shape) != 3 or observation_shape[0] != 3:
            raise ValueError(f"encoder resnet18 takes pictures of three channels, not shape {observation_shape}")

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
    """Side of a picture after a layer of stride 2."""
    return -(-size // 2)


class ConvDecoder(Component):
    """A linear layer, a transposed convolution to the smallest picture, others that double it; ReLU between them.

    The defaults are those of the authors' code for pictures of 64 x 64. It gives logits.
    """

    implementation: ClassVar[str] = "demix.conv_networks:ConvDecoder"
    kind: Literal["conv_decoder"] = "conv_decoder"
    features: PositiveInt = Field(256, description="units of the linear layer")
    channels: tuple[PositiveInt, ...] = Field(
        (64, 64, 32, 32), min_length=1, description="of the pictures, from the smallest on"
    )

    def check(self, observation_shape: tuple[int, ...]) -> None:
        """Refuse observations that it cannot make.

        Raises:
            ValueError: they are no pictures, or cannot be halved so often.
        """
        _check_picture(self.kind, observation_shape, len(self.channels))

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


def _check_picture(kind: str, shape: tuple[int, ...], halvings: int) -> None:
    if len(shape) != 3:
        raise ValueError(f"{kind} takes pictures, not observations of shape {shape}")
    if shape[1] != shape[2] or shape[1] % 2**halvings:
        size = f"{shape[1]} x {shape[2]}"
        raise ValueError(f"{kind} has {halvings} halvings or doublings, too many for pictures of {size}")


class SphereOutput(Component):
    """y / |y| times the radius."""

    implementation: ClassVar[str] = "demix.outputs:SphereOutput"
    numbers_a_code: ClassVar[int] = 1
    kind: Literal["sphere"] = "sphere"
    radius: PositiveFloat = 1.0
    learnable: bool = Field(False, description="the radius is trained, starting from `radius`")

    @property
    def label(self) -> str:
        return "Sphere"


class BoxOutput(Component):
    """sigmoid(y) times one bound per coordinate: the box [0, bound_k]^dim.

    The paper calls it "L-infinity normalisation"; this is what the authors' code does.
    """

    implementation: ClassVar[str] = "demix.outputs:BoxOutput"
    numbers_a_code: ClassVar[int] = 1
    kind: Literal["box"] = "box"
    bound: PositiveFloat = Field(1.0, description="upper end of every coordinate, at the start if learnable")
    learnable: bool = True

    @property
    def label(self) -> str:
        return "Box"


class UnboundedOutput(Component):
    """y as it is."""

    implementation: ClassVar[str] = "demix.outputs:UnboundedOutput"
    numbers_a_code: ClassVar[int] = 1
    kind: Literal["unbounded"] = "unbounded"

    @property
    def label(self) -> str:
        return "Unbounded"


class GaussianOutput(Component):
    """Mean and log-variance of every code: the posterior of a VAE, whose mean is the code that is scored."""

    implementation: ClassVar[str] = "demix.outputs:GaussianOutput"
    numbers_a_code: ClassVar[int] = 2
    kind: Literal["gaussian"] = "gaussian"

    @property
    def label(self) -> str:
        return "Unbounded"


Output = Annotated[
    Annotated[SphereOutput | BoxOutput | UnboundedOutput | GaussianOutput, Field(discriminator="kind")], named
]
Encoder = Annotated[Annotated[MLPEncoder | ConvEncoder | ResNet18Encoder, Field(discriminator="kind")], named_or("mlp")]


class Model(Spec):
    """What is trained: f = output(encoder(x)), the objective it is trained with, and for a VAE a decoder."""

    encoder: Encoder = MLPEncoder()
    output: Output
    objective: Objective
    codes: PositiveInt | None = Field(None, description="number of codes; none: as many as the problem has latents")
    decoder: Annotated[ConvDecoder, named] | None = None

    @model_validator(mode="after")
    def _parts_fit(self) -> "Model":
        for part, there in (("output gaussian", self.output.kind == "gaussian"), ("a decoder", bool(self.decoder))):
            if self.objective.is_vae != there:
                verb = "needs" if self.objective.is_vae else "has no use for"
                raise ValueError(f"objective {self.objective.kind} {verb} {part}")
        return self
