"""Pairs that are drawn many at a time: pair number i depends on seed and i alone."""

from collections.abc import Callable

import torch
from torch import Tensor

from demix.pairs.common.base import Pairs
from demix.pairs.common.prefetch import Prefetcher, background_of

BLOCK = 8192
"""Pairs that are drawn at once."""


class Blocks:
    """A stream of pairs in blocks. On a GPU the next block is drawn in the background.

    Args:
        draw: pairs of a block by its number and length, from a generator of that block's own.
        device: where the training is.
    """

    def __init__(self, draw: Callable[[int, int], Pairs], device: torch.device | str):
        self._blocks = Prefetcher(lambda block: draw(block, BLOCK), background_of(device))

    def pairs(self, position: int, count: int) -> Pairs:
        """Pairs `position`, ..., `position + count - 1`."""
        blocks = range(position // BLOCK, -(-(position + count) // BLOCK))
        drawn = [self._blocks.get(block, then=block + 1) for block in blocks]
        start = position - blocks.start * BLOCK

        def part(name: str) -> Tensor:
            return torch.cat([getattr(block, name) for block in drawn])[start : start + count]

        anchor = part("anchor")
        same = all(block.anchor is block.positive for block in drawn)
        source = None if drawn[0].source is None else part("source")
        return Pairs(anchor, anchor if same else part("positive"), source=source)
