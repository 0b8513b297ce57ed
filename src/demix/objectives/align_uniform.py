"""Alignment and uniformity, weighed: the loss of the 2020 workshop paper."""

import math
from collections.abc import Callable

from torch import Tensor

from demix.objectives.common.base import Loss, Objective, Surroundings
from demix.objectives.common.infonce import check_pairs, encoded_pairs
from demix.objectives.common.lp import check_exponent, lp_backend, lp_similarity
from demix.objectives.kernels.distances import centred
from demix.objectives.kernels.streaming import streamed_logsumexp
from demix.problems.common.batch import Batch


def align_uniform_terms(
    anchor: Tensor, positive: Tensor, *, exponent: float, self_negative: bool = True, kernel: str = "eager"
) -> tuple[Tensor, Tensor]:
    r"""Alignment and uniformity of every pair; see `align_uniform`.

    Returns:
        sum_k |a_ik - p_ik|^p and log( mean_j exp(-sum_k |a_ik - a_jk|^p) ), shape (batch,) each.

    Raises:
        ValueError: shapes disagree, the batch is empty, or exponent < 1.
    """
    check_pairs(anchor, positive)
    check_exponent(exponent)
    alignment = (anchor - positive).abs().pow(exponent).sum(-1)
    (points,) = centred(anchor)
    similarity = lp_similarity(exponent, True, kernel, points)
    others = streamed_logsumexp(points, points, similarity, mask_self=not self_negative)
    return alignment, others - math.log(len(anchor) - (not self_negative))


def align_uniform(anchor: Tensor, positive: Tensor, *, alpha: float, exponent: float, **convention) -> Tensor:
    r"""L_AU(alpha, p) = alpha * U + (1 - alpha) * A, per pair.

    2020 workshop paper, with the second argument of its norms corrected: A compares an anchor with its positive, U an
    anchor with the anchors of the batch, itself included. The log stands inside the mean over anchors, unlike in the
    uniformity of Wang and Isola. 2 L_AU(0.5, p) is the Lp InfoNCE with a mean in place of the sum and without the
    positive in the denominator.

    Args:
        anchor: codes of reference samples, shape (batch, dim).
        positive: row i is the partner of anchor i, shape (batch, dim).
        alpha: weight of uniformity, in (0, 1).
        exponent: p >= 1; no root is taken.
        self_negative: an anchor is one of its own negatives (default true); then 0 >= U >= -log(batch).
        kernel: see `demix.lp_infonce`.

    Returns:
        Loss of every pair in nats, shape (batch,).

    Raises:
        ValueError: shapes disagree, the batch is empty, exponent < 1, or alpha is not between 0 and 1.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1, got {alpha}")
    alignment, uniformity = align_uniform_terms(anchor, positive, exponent=exponent, **convention)
    return alpha * uniformity + (1 - alpha) * alignment


class AlignUniform(Objective):
    """`align_uniform` as a training objective.

    Args:
        alpha, exponent, self_negative: see `align_uniform`.
        drop_last: leave out the last code. The public code of this loss cuts coordinates with the end index -1; whether
            the workshop's runs did is unknown.
    """

    def __init__(self, *, alpha: float, exponent: float, self_negative: bool, drop_last: bool):
        super().__init__()
        self.alpha, self.exponent, self.self_negative = alpha, exponent, self_negative
        self.drop_last = drop_last
        self.kernel = "eager"

    def set_up(self, surroundings: Surroundings) -> None:
        """Compile the loops over pairs, if the training declares it and p needs them."""
        self.kernel = surroundings.kernel
        dim = surroundings.dim - self.drop_last
        self.backend = lp_backend(self.kernel, self.exponent, power=True, dim=dim, device=surroundings.device)

    def forward(self, encode: Callable[[Tensor], Tensor], batch: Batch, progress: float) -> Loss:
        """Mean loss over the pairs, with alignment and uniformity, in nats."""
        anchor, positive = encoded_pairs(encode, batch)
        if self.drop_last:
            anchor, positive = anchor[:, :-1], positive[:, :-1]
        terms = align_uniform_terms(
            anchor, positive, exponent=self.exponent, self_negative=self.self_negative, kernel=self.kernel
        )
        alignment, uniformity = (term.mean() for term in terms)
        total = self.alpha * uniformity + (1 - self.alpha) * alignment
        return Loss(total, {"alignment": alignment.detach(), "uniformity": uniformity.detach()})
