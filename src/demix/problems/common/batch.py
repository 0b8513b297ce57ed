"""What a problem gives to one training step."""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Batch:
    """Data of one training step. What a problem cannot give is None.

    Args:
        anchor: observations, shape (batch, ...).
        positive: row i is the partner of anchor i.
        factors: true latents of the anchors, shape (batch, dim).
        negatives: observations that are no partners of any anchor, (negatives, ...).
        source: what was drawn for each pair, such as the latent that was changed, (batch,).
    """

    anchor: Tensor
    positive: Tensor | None = None
    factors: Tensor | None = None
    negatives: Tensor | None = None
    source: Tensor | None = None
