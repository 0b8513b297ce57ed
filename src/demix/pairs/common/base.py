"""The contract of pair laws: which images belong together, by their numbers, and which view of each is encoded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from demix.datasets.common.sequences import Sequences


@dataclass(frozen=True)
class Samples:
    """The images that a law makes pairs of.

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
        """Pairs number `position` to `position + count - 1` of an endless stream, which the seed alone determines: the
        result depends on the arguments and the seed, not on earlier calls.

        A training uses the same `count` in every call. The calls ask for consecutive pairs, except that a resumed
        training starts at its checkpoint's position.
        """

    def view(self, images: Tensor, position: int, member: int) -> Tensor:
        """Images as the encoder gets them, apart from normalisation: augmented, for example.

        Args:
            images: (count, channels, height, width) in [0, 1].
            position: number of the pair that the first of them belongs to.
            member: 0 for anchors, 1 for their partners, 2 for negatives.
        """

    def facts(self) -> dict[str, float]:
        """Numbers about the pairs that are shown below tables, such as the mean distance of partners, by name."""


class UnchangedViews:
    """Base of laws that neither augment images nor report facts."""

    def view(self, images: Tensor, position: int, member: int) -> Tensor:
        """Images as they are."""
        return images

    def facts(self) -> dict[str, float]:
        """Nothing."""
        return {}
