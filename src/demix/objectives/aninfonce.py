"""AnInfoNCE: InfoNCE with a learned diagonal metric."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize, softplus

from demix.objectives.common.base import Surroundings
from demix.objectives.common.infonce import InfoNCE, check_pairs
from demix.objectives.kernels.distances import MinusSquaredEuclidean, centred
from demix.objectives.kernels.streaming import streamed_logsumexp

VARIANTS = ("symmetric", "code", "paper")


def aninfonce_terms(
    anchor: Tensor,
    positive: Tensor,
    metric: Tensor,
    *,
    variant: str = "symmetric",
    half: bool = True,
    unit_norm: bool = True,
) -> tuple[Tensor, Tensor]:
    r"""Alignment and log-sum-exp term of every pair, in nats; see `aninfonce`, which is their sum.

    Returns:
        -q(a_i, p_i), and the mean over the views of the log of the denominator, shape (batch,) each.
    """
    check_pairs(anchor, positive)
    if variant not in VARIANTS:
        raise ValueError(f"variant is one of {', '.join(VARIANTS)}, got {variant!r}")
    if metric.shape != anchor.shape[1:]:
        raise ValueError(f"metric must have shape ({anchor.shape[1]},), got {tuple(metric.shape)}")
    if unit_norm:
        anchor, positive = normalize(anchor, dim=-1), normalize(positive, dim=-1)
    # the metric scales the codes, so that its gradient comes with theirs
    scale = torch.sqrt(metric / 2 if half else metric)
    a, b = centred(anchor * scale, positive * scale)
    similarity = -(a - b).square().sum(-1)

    def others(query: Tensor, key: Tensor) -> Tensor:
        return streamed_logsumexp(query, key, MinusSquaredEuclidean(), mask_self=True)

    if variant == "paper":
        return -similarity, torch.logaddexp(similarity, others(a, a))
    cross = others(a, b)
    first = torch.logaddexp(others(a, a), cross)
    second = torch.logaddexp(others(b, b), cross if variant == "code" else others(b, a))
    views = [torch.logaddexp(similarity, view) for view in (first, second)]
    return -similarity, (views[0] + views[1]) / 2


def aninfonce(anchor: Tensor, positive: Tensor, metric: Tensor, **convention) -> Tensor:
    r"""InfoNCE with similarity q(u, v) = -sum_k metric_k (u_k - v_k)^2 / 2, per pair, both samples taken as anchors.

    AnInfoNCE 2024, Eq. (3), in the form that its public code trains: both views of every pair are compared with the
    other pairs' samples in both views, 2 (batch - 1) negatives and the positive; never with themselves. An encoder
    that knows nothing costs log(2 batch - 1).

    Args:
        anchor: codes of reference samples, shape (batch, dim).
        positive: row i is the partner of anchor i, shape (batch, dim).
        metric: the weights of the coordinates, shape (dim,), positive; differentiable.
        variant: "symmetric" (default); "code" for the public code, where the second view meets the second samples of
            the other pairs from its anchor: same value at the optimum; "paper" for Eq. (3), anchors alone with the
            other anchors as negatives.
        half: the factor 1/2 in q (default true, as in the code; the paper has none). With it a metric of 25 fits
            noise of variance 1/25.
        unit_norm: divide codes by their length first (default true).

    Returns:
        Loss of every pair in nats, shape (batch,).

    Raises:
        ValueError: shapes disagree, the batch is empty, a weight is not positive, or an unknown variant.
    """
    if not bool((metric.detach() > 0).all()):
        raise ValueError(f"metric must be positive, got {metric.tolist()}")
    alignment, logsumexp = aninfonce_terms(anchor, positive, metric, **convention)
    return alignment + logsumexp


class AnInfoNCE(InfoNCE):
    """`aninfonce` as a training objective, with a metric softplus(raw_metric) that is trained unless fixed.

    Args:
        variant, half, unit_norm: see `aninfonce`.
        metric: weight of every coordinate at the start; None for softplus of a normal with standard deviation 0.1.
        learnable: train the metric. A fixed one of 1 / tau on the unit sphere is InfoNCE with temperature tau.
    """

    def __init__(self, *, variant: str, half: bool, unit_norm: bool, metric: float | None, learnable: bool):
        super().__init__()
        self.convention: dict[str, Any] = {"variant": variant, "half": half, "unit_norm": unit_norm}
        self.start = metric
        self.raw_metric = nn.Parameter(torch.zeros(0), requires_grad=learnable)

    def set_up(self, surroundings: Surroundings) -> None:
        """Draw the raw metric, one number a code."""
        if self.start is None:
            self.raw_metric.data = 0.1 * torch.randn(surroundings.dim, generator=surroundings.generator("objective"))
        else:
            start = torch.full((surroundings.dim,), self.start)
            self.raw_metric.data = start + torch.log(-torch.expm1(-start))  # the inverse of softplus

    @property
    def metric(self) -> Tensor:
        """Weights of the coordinates, shape (dim,), positive."""
        return softplus(self.raw_metric)

    def pair_terms(self, anchor: Tensor, positive: Tensor, progress: float) -> tuple[Tensor, Tensor]:
        """See `aninfonce_terms`."""
        return aninfonce_terms(anchor, positive, self.metric, **self.convention)
