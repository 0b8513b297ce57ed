"""InfoNCE with the dot product."""

from torch import Tensor

from demix.objectives.common.infonce import TemperedInfoNCE, check_convention, check_pairs, per_pair_terms
from demix.objectives.kernels.streaming import streamed_logsumexp


class DotSimilarity:
    """<u, v>."""

    is_distance = False
    cpu_tile = (512, 512)

    def values(self, query: Tensor, key: Tensor) -> Tensor:
        """Shape (rows, keys)."""
        return query.T @ key

    def largest(self, query: Tensor, key: Tensor) -> Tensor:
        """The product of the largest lengths."""
        return query.norm(dim=0).max() * key.norm(dim=0).max()

    def gradients(self, query: Tensor, key: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients of sum_ij weights_ij <query_i, key_j>."""
        return key @ weights.T, query @ weights


def dot_infonce_terms(
    anchor: Tensor,
    positive: Tensor,
    *,
    tau: float | Tensor = 1.0,
    self_negative: bool = True,
    negatives_meet: str = "anchor",
) -> tuple[Tensor, Tensor]:
    r"""Alignment and log-sum-exp term of every pair, in nats; see `dot_infonce`, which is their sum.

    Returns:
        -<a_i, p_i> / tau and log( exp(<a_i, p_i> / tau) + sum_j exp(<m_i, a_j> / tau) ), shape (batch,) each, where
        m is the anchor or the positive.
    """
    check_pairs(anchor, positive)
    check_convention(tau, negatives_meet)
    # the temperature scales the codes, so that its own gradient, if it is trained, is right too
    scaled_anchor = anchor * tau**-0.5
    query = scaled_anchor if negatives_meet == "anchor" else positive * tau**-0.5
    negatives = streamed_logsumexp(query, scaled_anchor, DotSimilarity(), mask_self=not self_negative)
    return per_pair_terms((anchor * positive).sum(-1) / tau, negatives)


def dot_infonce(anchor: Tensor, positive: Tensor, **convention) -> Tensor:
    r"""InfoNCE with similarity <u, v> / tau, per pair.

    ICML 2021, Eq. (1), in the convention that produced the printed tables: the anchors of the batch, the anchor
    itself included, are its negatives, and they meet the anchor, where Eq. (1) writes the positive. The positive
    belongs to the denominator. The value is a log of a sum, so it grows with log(batch).

    Args:
        anchor: codes of reference samples, shape (batch, dim); on the unit sphere in the papers.
        positive: row i is the partner of anchor i, shape (batch, dim).
        tau: temperature (default 1), a number or a scalar tensor. On the unit sphere the model's conditional is
            vMF(1 / tau).
        self_negative: the anchor is one of its own negatives (default true).
        negatives_meet: "anchor" (default) or "positive".

    Returns:
        Loss of every pair in nats, shape (batch,).

    Raises:
        ValueError: shapes disagree, the batch is empty, or tau <= 0.
    """
    alignment, logsumexp = dot_infonce_terms(anchor, positive, **convention)
    return alignment + logsumexp


class DotInfoNCE(TemperedInfoNCE):
    """`dot_infonce` as a training objective."""

    def tempered_terms(self, anchor: Tensor, positive: Tensor, tau: float | Tensor) -> tuple[Tensor, Tensor]:
        """See `dot_infonce_terms`."""
        return dot_infonce_terms(anchor, positive, tau=tau, **self.convention)
