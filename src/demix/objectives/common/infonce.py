"""What the InfoNCE losses share: one training objective, whatever the similarity is."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from demix.objectives.common.base import Loss, Objective
from demix.problems.common.batch import Batch


def check_pairs(anchor: Tensor, positive: Tensor) -> None:
    """Refuse codes that are no pairs.

    Raises:
        ValueError: shapes disagree or are not (batch, dim), or the batch is empty.
    """
    if anchor.shape != positive.shape or anchor.ndim != 2 or not len(anchor):
        shapes = f"anchor {tuple(anchor.shape)} and positive {tuple(positive.shape)}"
        raise ValueError(f"{shapes} must have one shape (batch, dim) with batch >= 1")


def check_convention(tau: float | Tensor, negatives_meet: str) -> None:
    """Refuse settings that no InfoNCE loss with a temperature can use.

    Raises:
        ValueError: tau <= 0, or an unknown choice of `negatives_meet`.
    """
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


def encoded_pairs(encode: Callable[[Tensor], Tensor], batch: Batch) -> tuple[Tensor, Tensor]:
    """Codes of both samples of every pair, (batch, dim) each, from one pass through the encoder."""
    assert batch.positive is not None, "the problem draws no pairs"
    anchor, positive = encode(torch.cat([batch.anchor, batch.positive])).chunk(2)
    return anchor, positive


class InfoNCE(Objective):
    """An InfoNCE loss as a training objective. Subclasses give its two terms."""

    def pair_terms(self, anchor: Tensor, positive: Tensor, progress: float) -> tuple[Tensor, Tensor]:
        """Alignment and log-sum-exp term of every pair of codes, shape (batch,) each, in nats.

        Args:
            anchor, positive: codes, shape (batch, dim).
            progress: fraction of the steps that are done, in [0, 1).
        """
        raise NotImplementedError

    def forward(self, encode: Callable[[Tensor], Tensor], batch: Batch, progress: float) -> Loss:
        """Mean loss over the pairs, with its alignment and log-sum-exp terms, in nats."""
        terms = self.pair_terms(*encoded_pairs(encode, batch), progress)
        alignment, logsumexp = (term.mean() for term in terms)
        return Loss(alignment + logsumexp, {"alignment": alignment.detach(), "logsumexp": logsumexp.detach()})


class TemperedInfoNCE(InfoNCE):
    """An InfoNCE loss with a temperature and a choice of negatives. Subclasses give its similarity.

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

    def tempered_terms(self, anchor: Tensor, positive: Tensor, tau: float | Tensor) -> tuple[Tensor, Tensor]:
        """`pair_terms` at a temperature."""
        raise NotImplementedError

    def pair_terms(self, anchor: Tensor, positive: Tensor, progress: float) -> tuple[Tensor, Tensor]:
        """Those at the temperature of this part of the training."""
        return self.tempered_terms(anchor, positive, self.temperature(progress))
