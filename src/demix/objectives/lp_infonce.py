"""InfoNCE with minus a power of the Lp distance."""

from typing import Any

import torch
from torch import Tensor

from demix.objectives.infonce import PairwiseInfoNCE, check_pairs, per_pair_terms
from demix.objectives.streaming import streamed_logsumexp


class LpSimilarity:
    """-sum_k |u_k - v_k|^p, or minus the p-th root of the sum if not `power`.

    Args:
        exponent: p >= 1.
        power: the sum itself rather than its p-th root.
    """

    def __init__(self, exponent: float, power: bool = True):
        self.exponent, self.power = exponent, power

    def values(self, query: Tensor, key: Tensor) -> Tensor:
        """Shape (rows, keys)."""
        total = self._power_sum(query, key)
        if not self.power:
            total = total.pow_(1 / self.exponent)
        return total.neg_()

    def gradients(self, query: Tensor, key: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients of minus sum_ij weights_ij distance(query_i, key_j); 0 where the points coincide."""
        if not self.power:
            root = self._power_sum(query, key).pow_(1 / self.exponent - 1).div_(self.exponent)
            weights = weights.mul_(root.masked_fill_(torch.isinf(root), 0.0))
        if self.exponent == 2:
            to_query = weights.sum(1, keepdim=True) * query - weights @ key
            to_key = weights.sum(0)[:, None] * key - weights.T @ query
            return to_query.mul_(-2), to_key.mul_(-2)
        to_query, to_key = torch.empty_like(query), torch.empty_like(key)
        slope = torch.empty_like(weights)
        for k in range(query.shape[1]):
            self._slope(query[:, k, None], key[None, :, k], out=slope)
            slope.mul_(weights)
            to_query[:, k], to_key[:, k] = slope.sum(1), slope.sum(0)
        return to_query.mul_(-self.exponent), to_key.mul_(self.exponent)

    def _power_sum(self, query: Tensor, key: Tensor) -> Tensor:
        """sum_k |query_ik - key_jk|^p, coordinate by coordinate: exactly zero for equal points."""
        total = query.new_zeros(len(query), len(key))
        part = torch.empty_like(total)
        for k in range(query.shape[1]):
            torch.sub(query[:, k, None], key[None, :, k], out=part)
            if self.exponent == 1:
                total += part.abs_()
            elif self.exponent == 2:
                total.addcmul_(part, part)
            elif self.exponent == 3:  # a general power takes ten times as long
                total.addcmul_(part.abs_(), part.square())
            else:
                total += part.abs_().pow_(self.exponent)
        return total

    def _slope(self, query: Tensor, key: Tensor, out: Tensor) -> None:
        """sign(d) |d|^(p - 1) of all differences d, without the factor p."""
        torch.sub(query, key, out=out)
        if self.exponent == 1:
            out.sign_()
        elif self.exponent == 3:
            out.mul_(out.abs())
        else:
            sign = out.sign()
            out.abs_().pow_(self.exponent - 1).mul_(sign)


def lp_infonce_terms(
    anchor: Tensor,
    positive: Tensor,
    *,
    exponent: float,
    tau: float | Tensor = 1.0,
    power: bool = True,
    self_negative: bool = True,
    negatives_meet: str = "anchor",
) -> tuple[Tensor, Tensor]:
    r"""Alignment and log-sum-exp term of every pair, in nats; see `lp_infonce`, which is their sum.

    Returns:
        delta(a_i, p_i) / tau and log( exp(-delta(a_i, p_i) / tau) + sum_j exp(-delta(m_i, a_j) / tau) ), shape
        (batch,) each, where m is the anchor or the positive.
    """
    check_pairs(anchor, positive, tau, negatives_meet)
    if exponent < 1:
        raise ValueError(f"exponent must be at least 1, got {exponent}")
    difference = (anchor - positive).abs()
    # the norm, not (sum)^(1/p), for the root: its gradient at equal points is 0, not a division by 0
    distance = difference.pow(exponent).sum(-1) if power else torch.linalg.vector_norm(difference, exponent, -1)
    query = anchor if negatives_meet == "anchor" else positive
    # the temperature scales the codes, so that its own gradient, if it is trained, is right too
    scale = tau ** (-1 / exponent) if power else 1 / tau
    similarity = LpSimilarity(exponent, power)
    negatives = streamed_logsumexp(query * scale, anchor * scale, similarity, mask_self=not self_negative)
    return per_pair_terms(-distance / tau, negatives)


def lp_infonce(anchor: Tensor, positive: Tensor, *, exponent: float, **convention) -> Tensor:
    r"""InfoNCE whose similarity is minus a power of the Lp distance, per pair.

    ICML 2021, Eq. (6), in the convention that produced the printed tables: the anchors of the batch, the anchor
    itself included, are its negatives, and they meet the anchor, where Eq. (6) writes the positive. The distance
    is delta(u, v) = sum_k |u_k - v_k|^p, the p-th power of the norm, with no factor 1/2 for p = 2.

    Args:
        anchor: codes of reference samples, shape (batch, dim).
        positive: row i is the partner of anchor i, shape (batch, dim).
        exponent: p >= 1; 1 for a Laplace conditional, 2 for a normal one.
        tau: temperature in units of delta (default 1), a number or a scalar tensor.
        power: true (default) for delta as above, false for its p-th root, the norm of Theorem 5.
        self_negative: the anchor is one of its own negatives (default true). Without it the loss of a box can
            fall to 0 as the scale of the codes grows.
        negatives_meet: "anchor" (default) or "positive".

    Returns:
        Loss of every pair in nats, shape (batch,).

    Raises:
        ValueError: shapes disagree, the batch is empty, exponent < 1, or tau <= 0.
    """
    alignment, logsumexp = lp_infonce_terms(anchor, positive, exponent=exponent, **convention)
    return alignment + logsumexp


class LpInfoNCE(PairwiseInfoNCE):
    """`lp_infonce` as a training objective."""

    def __init__(self, *, exponent: float, power: bool, **shared):
        super().__init__(**shared)
        self.distance: dict[str, Any] = {"exponent": exponent, "power": power}

    def pair_terms(self, anchor: Tensor, positive: Tensor, tau: float | Tensor) -> tuple[Tensor, Tensor]:
        """See `lp_infonce_terms`."""
        return lp_infonce_terms(anchor, positive, tau=tau, **self.distance, **self.convention)
