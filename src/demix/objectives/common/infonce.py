"""What the InfoNCE losses share: one loss from the similarities, whatever the similarity is."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from demix.objectives.common.base import Loss, Objective
from demix.problems.common.batch import Batch


def check_pairs(anchor: Tensor, positive: Tensor, tau: float | Tensor, negatives_meet: str) -> None:
    """Refuse arguments that no InfoNCE loss can use.

    Raises:
        ValueError: shapes disagree or are not (batch, dim), the batch is empty, tau <= 0, or an unknown choice of
            `negatives_meet`.
    """
    if anchor.shape != positive.shape or anchor.ndim != 2 or not len(anchor):
        shapes = f"anchor {tuple(anchor.shape)} and positive {tuple(positive.shape)}"
        raise ValueError(f"{shapes} must have one shape (batch, dim) with batch >= 1")
    if not tau > 0:
        raise ValueError(f"tau must be positive, got {tau}")
    if negatives_meet not in ("anchor", "positive"):
        raise ValueError(f"negatives_meet is anchor or positive, got {negatives_meet!r}")


def per_pair_terms(positive_similarity: Tensor, negatives_logsumexp: Tensor) -> tuple[Tensor, Tensor]:
    """The two parts of InfoNCE, which add up to the loss of every pair, in nats.

    Args:
        positive_similarity: s(z_i, z~_i) / tau, shape (batch,).
        negatives_logsumexp: log sum_j exp(s(., z_j) / tau), shape (batch,).

    Returns:
        Alignment -s(z_i, z~_i) / tau, and the log of the denominator, to which the positive belongs.
    """
    return -positive_similarity, torch.logaddexp(negatives_logsumexp, positive_similarity)


class PairwiseInfoNCE(Objective):
    """An InfoNCE loss as a training objective: encodes both samples of every pair in one pass.

    Args:
        tau: temperature.
        self_negative: every sample is one of its own negatives.
        negatives_meet: "anchor" or "positive".
        annealing: another temperature for the first part of training, if any.
    """

    def __init__(self, *, tau: float, self_negative: bool, negatives_meet: str, annealing=None):
        super().__init__()
        self.tau = tau
        self.annealing = annealing
        self.convention: dict[str, Any] = {"self_negative": self_negative, "negatives_meet": negatives_meet}

    def temperature(self, progress: float) -> float | Tensor:
        """Temperature at a fraction of the steps."""
        annealed = self.annealing is not None and progress < self.annealing.until
        return self.annealing.tau if annealed else self.tau

    def pair_terms(self, anchor: Tensor, positive: Tensor, tau: float | Tensor) -> tuple[Tensor, Tensor]:
        """Alignment and log-sum-exp term of every pair of codes, shape (batch,) each."""
        raise NotImplementedError

    def forward(self, encode: Callable[[Tensor], Tensor], batch: Batch, progress: float) -> Loss:
        """Mean loss over the pairs, with its alignment and log-sum-exp terms, in nats."""
        assert batch.positive is not None, "the problem draws no pairs"
        anchor, positive = encode(torch.cat([batch.anchor, batch.positive])).chunk(2)
        terms = self.pair_terms(anchor, positive, self.temperature(progress))
        alignment, logsumexp = (term.mean() for term in terms)
        return Loss(alignment + logsumexp, {"alignment": alignment.detach(), "logsumexp": logsumexp.detach()})
