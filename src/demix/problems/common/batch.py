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
    """

    anchor: Tensor
    positive: Tensor | None = None
    factors: Tensor | None = None
