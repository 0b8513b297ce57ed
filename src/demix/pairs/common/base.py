"""What a pair law is: it says which images belong together, by their numbers, and how each is seen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from demix.datasets.common.sequences import Sequences


@dataclass(frozen=True)
class Samples:
    """What a law may make pairs of.

    Args:
        numbers: of the images that are trained on, (images,) int64.
        known: what is known of all images of the split by name, a row for each, such as "factors" and "labels".
        sequences: where the images are frames of sequences.
        trained: which of those are trained on, (sequences,) bool.
    """

    numbers: NDArray[np.int64]
    known: Mapping[str, NDArray] = field(default_factory=dict)
    sequences: Sequences | None = None
    trained: NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class Pairs:
    """Some pairs.

    Args:
        anchor: numbers of the first images, (count,) int64.
        positive: those of their partners; the same tensor where an image is its own partner.
        negatives: numbers of images that are no partners, (negatives,).
        source: what the law drew for each pair, such as the factor that was changed, (count,).
    """

    anchor: Tensor
    positive: Tensor
    negatives: Tensor | None = None
    source: Tensor | None = None


class PairLaw(Protocol):
    """The implementation of a pair law. `build(spec, samples=..., seed=..., device=...)` makes one from a spec."""

    def pairs(self, position: int, count: int) -> Pairs:
        """Pairs `position`, ..., `position + count - 1` of the stream that the seed decides, whatever was drawn before.

        Called with one `count` throughout a training, most often for what follows the last ones.
        """

    def view(self, images: Tensor, position: int, member: int) -> Tensor:
        """Images (count, channels, height, width) in [0, 1] as the encoder is to see them, before normalisation.

        Args:
            position: of the first pair that they belong to.
            member: 0 for anchors, 1 for their partners, 2 for negatives.
        """

    def facts(self) -> dict[str, float]:
        """What tables show beside the scores, such as the width of the pairs."""


class AsTheyAre:
    """For laws that show images as they are and have nothing to tell."""

    def view(self, images: Tensor, position: int, member: int) -> Tensor:
        """Images as they are."""
        return images

    def facts(self) -> dict[str, float]:
        """Nothing."""
        return {}
