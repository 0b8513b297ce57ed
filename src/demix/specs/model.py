"""A model, as data: encoder, output space and objective."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, PositiveFloat, PositiveInt

from demix.specs.base import Component, Spec, named
from demix.specs.objectives import Objective


class MLPEncoder(Component):
    """Fully connected encoder f with leaky ReLU after every hidden layer (ICML 2021, Appendix A.3)."""

    implementation: ClassVar[str] = "demix.encoders:MLP"
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


class SphereOutput(Component):
    """y / |y| times the radius."""

    implementation: ClassVar[str] = "demix.outputs:SphereOutput"
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
    kind: Literal["box"] = "box"
    bound: PositiveFloat = Field(1.0, description="upper end of every coordinate, at the start if learnable")
    learnable: bool = True

    @property
    def label(self) -> str:
        return "Box"


class UnboundedOutput(Component):
    """y as it is."""

    implementation: ClassVar[str] = "demix.outputs:UnboundedOutput"
    kind: Literal["unbounded"] = "unbounded"

    @property
    def label(self) -> str:
        return "Unbounded"


Output = Annotated[Annotated[SphereOutput | BoxOutput | UnboundedOutput, Field(discriminator="kind")], named]


class Model(Spec):
    """What is trained: f = output(encoder(x)), and the objective it is trained with."""

    encoder: Annotated[MLPEncoder, named] = MLPEncoder()
    output: Output
    objective: Objective
