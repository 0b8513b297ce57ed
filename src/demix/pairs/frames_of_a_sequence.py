"""Two frames of one sequence: a start frame, and one that comes a little later."""

import torch

from demix.pairs.common.base import Pairs, Samples, UnchangedViews
from demix.support.randomness import torch_generator


class FramesOfASequence(UnchangedViews):
    """A start frame and the frame 1 to `max_separation` later.

    Start frames come in a new random order every time all have been used; what does not fill a batch is dropped. The
    last frame of a sequence starts nothing, and no partner lies beyond it: near it the separation is shorter.

    Args:
        max_separation: field of the spec.
        samples: frames of sequences.
        seed: of the pairs.
        device: where pairs are drawn.

    Raises:
        ValueError: no sequence that is trained on has two frames.
    """

    def __init__(self, *, max_separation: int, samples: Samples, seed: int, device: torch.device | str):
        assert samples.sequences is not None, "the images are no frames of sequences"
        assert samples.trained is not None
        self.max_separation, self.seed, self.device = max_separation, seed, torch.device(device)
        self.last = torch.from_numpy(samples.sequences.last).to(self.device)
        self.starts = torch.from_numpy(samples.sequences.starts(samples.trained)).to(self.device)
        self._begin()

    def pairs(self, position: int, count: int) -> Pairs:
        """The pairs from `position` on. For any position other than the next one the stream is replayed from its start.

        Raises:
            ValueError: there are fewer start frames than `count`.
        """
        if count > len(self.starts):
            raise ValueError(f"a batch of {count} pairs is more than the {len(self.starts)} start frames there are")
        if position < self._position:
            self._begin()
        while self._position < position:
            self._next(min(count, position - self._position))
        return self._next(count)

    def _begin(self) -> None:
        """Go to the beginning of the stream."""
        self._order = torch_generator(self.seed, "data", device=self.device)
        self._separations = torch_generator(self.seed, "separations", device=self.device)
        self._position = 0
        self._shuffle()

    def _next(self, count: int) -> Pairs:
        if self._used + count > len(self.starts):
            self._shuffle()
        start = self._permutation[self._used : self._used + count]
        self._used += count
        self._position += count
        step = torch.randint(1, self.max_separation + 1, (count,), generator=self._separations, device=self.device)
        return Pairs(start, torch.minimum(start + step, self.last[start]))

    def _shuffle(self) -> None:
        """Begin a new round over all start frames."""
        self._used = 0
        order = torch.randperm(len(self.starts), generator=self._order, device=self.device)
        self._permutation = self.starts[order]
