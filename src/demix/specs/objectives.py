"""Training objectives, as data. The code is in `demix.objectives`."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, PositiveFloat

from demix.specs.base import Component, Spec, named


class Annealing(Spec):
    """Another temperature for the first part of training; no published run has one."""

    tau: PositiveFloat = Field(description="temperature until then")
    until: float = Field(gt=0, lt=1, description="fraction of the steps")


class ObjectiveSpec(Component):
    """What every objective says of itself."""

    needs_pairs: ClassVar[bool] = True
    is_vae: ClassVar[bool] = False
    """It trains a posterior (output gaussian) and a decoder."""

    def conditional_label(self, output: Component) -> str:
        """How tables name the model's conditional, given the spec of the output layer; "-" if it has none."""
        return "-"


class InfoNCE(ObjectiveSpec):
    """What the contrastive objectives share. The defaults produced the published numbers."""

    tau: PositiveFloat = Field(1.0, description="temperature")
    self_negative: bool = Field(True, description="every sample is one of its own negatives")
    negatives_meet: Literal["anchor", "positive"] = Field(
        "anchor", description="which sample of a pair the negatives are compared with"
    )
    annealing: Annealing | None = None


class DotInfoNCE(InfoNCE):
    """InfoNCE with the dot product: ICML 2021, Eq. (1)."""

    implementation: ClassVar[str] = "demix.objectives.dot_infonce:DotInfoNCE"
    kind: Literal["dot_infonce"] = "dot_infonce"

    def conditional_label(self, output: Component) -> str:
        """On a sphere: vMF with concentration radius^2 / tau (ICML 2021, Proposition 1); a trained one has no value."""
        if getattr(output, "learnable", False):
            return "vMF"
        return f"vMF(κ={getattr(output, 'radius', 1.0) ** 2 / self.tau:g})"


class LpInfoNCE(InfoNCE):
    """InfoNCE with minus a power of the Lp distance: ICML 2021, Eq. (6)."""

    implementation: ClassVar[str] = "demix.objectives.lp_infonce:LpInfoNCE"
    kind: Literal["lp_infonce"] = "lp_infonce"
    exponent: float = Field(ge=1, description="p; 1 for a Laplace conditional, 2 for a normal one")
    power: bool = Field(True, description="sum of |.|^p as in the code; false: its p-th root, the norm itself")

    def conditional_label(self, output: Component) -> str:
        """As the papers name it."""
        return {1.0: "Laplace", 2.0: "Normal"}.get(self.exponent, f"GenNorm(β={self.exponent:g})")


class AlignUniform(ObjectiveSpec):
    """L_AU(alpha, p) = alpha * uniformity + (1 - alpha) * alignment: 2020 workshop paper, Sec. 2, corrected."""

    implementation: ClassVar[str] = "demix.objectives.align_uniform:AlignUniform"
    kind: Literal["align_uniform"] = "align_uniform"
    alpha: float = Field(gt=0, lt=1, description="weight of uniformity")
    exponent: float = Field(ge=1, description="p of the distances; no root is taken")
    self_negative: bool = Field(True, description="every sample is one of its own negatives")
    drop_last: bool = Field(False, description="leave out the last code, as the public code of this loss would")

    def conditional_label(self, output: Component) -> str:
        """Weight and exponent."""
        return f"L_AU({self.alpha:g}, {self.exponent:g})"


class BetaVAE(ObjectiveSpec):
    """Beta-VAE on both frames of a pair, in the form of the SlowVAE code: 2 R + beta K_N."""

    implementation: ClassVar[str] = "demix.objectives.vae:BetaVAE"
    is_vae: ClassVar[bool] = True
    kind: Literal["beta_vae"] = "beta_vae"
    beta: PositiveFloat = Field(8.0, description="weight of the divergence from N(0, 1)")
    reconstruction_weight: PositiveFloat = Field(
        2.0, description="of the cross-entropy of the pixels; with 2, a beta of 8 is 4 in the usual form"
    )

    def conditional_label(self, output: Component) -> str:
        """It models no conditional."""
        return "none (β-VAE)"


class SlowVAE(ObjectiveSpec):
    """SlowVAE (Klindt et al. 2021) in the form of its code: 2 R + beta K_N + gamma K_L."""

    implementation: ClassVar[str] = "demix.objectives.vae:SlowVAE"
    is_vae: ClassVar[bool] = True
    kind: Literal["slow_vae"] = "slow_vae"
    beta: PositiveFloat = Field(1.0, description="weight of the divergence from N(0, 1)")
    gamma: PositiveFloat = Field(10.0, description="weight of the divergence from a Laplace density around the other")
    rate: PositiveFloat = Field(6.0, description="of that Laplace density, 1 / scale")
    reconstruction_weight: PositiveFloat = Field(2.0, description="of the cross-entropy of the pixels")

    def conditional_label(self, output: Component) -> str:
        """The density around the other frame's mean."""
        return "Laplace (SlowVAE)"


class AnInfoNCE(ObjectiveSpec):
    """InfoNCE with a learned diagonal metric: AnInfoNCE 2024, Eq. (3). `rate_factors: {raw_metric: 10}` trains the
    metric at ten times the learning rate, as published."""

    implementation: ClassVar[str] = "demix.objectives.aninfonce:AnInfoNCE"
    kind: Literal["aninfonce"] = "aninfonce"
    variant: Literal["symmetric", "code", "paper"] = Field(
        "symmetric",
        description="symmetric: both views meet the other pairs' samples in both views; code: the public code, whose "
        "second view takes its cross terms from the first; paper: the anchors alone",
    )
    half: bool = Field(True, description="the factor 1/2 in the similarity, as in the code; the paper has none")
    unit_norm: bool = Field(True, description="divide codes by their length in the loss")
    metric: PositiveFloat | None = Field(
        None, description="weight of every coordinate at the start; none: softplus of a normal with deviation 0.1"
    )
    learnable: bool = Field(True, description="false: a fixed metric; 1 / tau on the unit sphere is plain InfoNCE")

    def conditional_label(self, output: Component) -> str:
        """A normal density restricted to the space, with the metric as its inverse covariance."""
        return "Normal(Λ⁻¹)"


class MeanSquaredError(ObjectiveSpec):
    """Supervised regression to the true latents: mean over samples and coordinates."""

    needs_pairs: ClassVar[bool] = False
    implementation: ClassVar[str] = "demix.objectives.regression:MeanSquaredError"
    kind: Literal["mean_squared_error"] = "mean_squared_error"


Objective = Annotated[
    Annotated[
        DotInfoNCE | LpInfoNCE | AnInfoNCE | AlignUniform | BetaVAE | SlowVAE | MeanSquaredError,
        Field(discriminator="kind"),
    ],
    named,
]
