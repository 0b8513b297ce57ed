"""InfoNCE with minus a power of the Lp distance."""

from typing import Any

import torch
from torch import Tensor

from demix.objectives.common.base import Surroundings
from demix.objectives.common.infonce import TemperedInfoNCE, check_convention, check_pairs, per_pair_terms
from demix.objectives.common.lp import by_matrix_products, check_exponent, lp_backend, lp_similarity
from demix.objectives.kernels.distances import centred
from demix.objectives.kernels.streaming import streamed_logsumexp


def lp_infonce_terms(
    anchor: Tensor,
    positive: Tensor,
    *,
    exponent: float,
    tau: float | Tensor = 1.0,
    power: bool = True,
    self_negative: bool = True,
    negatives_meet: str = "anchor",
    kernel: str = "eager",
) -> tuple[Tensor, Tensor]:
    r"""Alignment and log-sum-exp term of every pair, in nats; see `lp_infonce`, which is their sum.

    Returns:
        delta(a_i, p_i) / tau and log( exp(-delta(a_i, p_i) / tau) + sum_j exp(-delta(m_i, a_j) / tau) ), shape
        (batch,) each, where m is the anchor or the positive.
    """
    check_pairs(anchor, positive)
    check_convention(tau, negatives_meet)
    check_exponent(exponent)
    difference = (anchor - positive).abs()
    # the norm, not (sum)^(1/p), for the root: its gradient at equal points is 0, not a division by 0
    distance = difference.pow(exponent).sum(-1) if power else torch.linalg.vector_norm(difference, exponent, -1)
    similarity = lp_similarity(exponent, power, kernel, anchor)
    if by_matrix_products(exponent, power):
        anchor, positive = centred(anchor, positive)
    # the temperature scales the codes, so that its own gradient, if it is trained, is right too
    scale = tau ** (-1 / exponent) if power else 1 / tau
    key = anchor * scale
    query = key if negatives_meet == "anchor" else positive * scale
    negatives = streamed_logsumexp(query, key, similarity, mask_self=not self_negative)
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
        kernel: "eager" (default), or "compiled" to have the loops over pairs compiled where there is a compiler: the
            same loss but for the last digits, several times as fast with large batches. p = 2 goes through matrix
            products and needs none.

    Returns:
        Loss of every pair in nats, shape (batch,).

    Raises:
        ValueError: shapes disagree, the batch is empty, exponent < 1, tau <= 0, or an unknown kernel.
    """
    alignment, logsumexp = lp_infonce_terms(anchor, positive, exponent=exponent, **convention)
    return alignment + logsumexp


class LpInfoNCE(TemperedInfoNCE):
    """`lp_infonce` as a training objective."""

    def __init__(self, *, exponent: float, power: bool, **shared):
        super().__init__(**shared)
        self.distance: dict[str, Any] = {"exponent": exponent, "power": power}
        self.kernel = "eager"

    def set_up(self, surroundings: Surroundings) -> None:
        """Compile the loops over pairs, if the training declares it and p needs them."""
        self.kernel = surroundings.kernel
        self.backend = lp_backend(self.kernel, **self.distance, dim=surroundings.dim, device=surroundings.device)

    def tempered_terms(self, anchor: Tensor, positive: Tensor, tau: float | Tensor) -> tuple[Tensor, Tensor]:
        """See `lp_infonce_terms`."""
        return lp_infonce_terms(anchor, positive, tau=tau, kernel=self.kernel, **self.distance, **self.convention)
