"""Pairs of frames of one mask sequence, drawn by index: the whole data set lies on the device as uint8."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from demix.datasets.common.mask_sequences import MaskSequences
from demix.problems.common.batch import Batch
from demix.support.randomness import numpy_generator, torch_generator

EVALUATION_BATCH = 16
"""Start frames that are drawn without replacement at a time, as in the authors' code."""

SHOWN_SEQUENCES, SHOWN_FRAMES = 3, 60
"""Longest sequences, and first frames of each, whose codes are kept for pictures."""


class MaskPairs:
    """The problem of one seed. An item is a start frame; its partner comes 1 to `max_separation` frames later.

    Start frames come in a new random order every time all have been used; what does not fill a batch is dropped. The
    last frame of a sequence starts nothing, and no partner lies beyond it: near it the separation is shorter.

    Args:
        max_separation, shrink, held_out, evaluation_samples: fields of the spec; `data` is not needed any more.
        seed: of the training pairs. Held-out sequences and evaluation samples are the same for all seeds.
        sequences: the data.
        device: where the masks lie and pairs are drawn.
    """

    def __init__(
        self,
        *,
        data: Any,
        max_separation: int,
        shrink: int,
        held_out: float,
        evaluation_samples: int,
        seed: int,
        sequences: MaskSequences,
        device: torch.device | str = "cpu",
    ):
        self.max_separation, self.evaluation_samples = max_separation, evaluation_samples
        self.sequences, self.device = sequences, torch.device(device)
        self._frames, self._scale = shrunk(np.asarray(sequences.frames), shrink)
        self.frames = self._frames.to(self.device)
        lengths = np.asarray(sequences.lengths)
        self.last = torch.from_numpy(np.repeat(sequences.firsts + lengths - 1, lengths)).to(self.device)
        self._aside = held_out_sequences(len(lengths), held_out)
        self.starts = self._starts(~self._aside).to(self.device)
        self.order = torch_generator(seed, "data", device=self.device)
        self.separations = torch_generator(seed, "separations", device=self.device)
        self._shuffle()

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Channels, height and width."""
        return 1, *self._frames.shape[1:]

    def batch(self, size: int) -> Batch:
        """The next pairs.

        Raises:
            ValueError: there are fewer start frames than that.
        """
        if size > len(self.starts):
            raise ValueError(f"a batch of {size} pairs is more than the {len(self.starts)} start frames there are")
        if self._position + size > len(self.starts):
            self._shuffle()
        start = self._permutation[self._position : self._position + size]
        self._position += size
        step = torch.randint(1, self.max_separation + 1, (size,), generator=self.separations, device=self.device)
        return Batch(anchor=self.pictures(start), positive=self.pictures(torch.minimum(start + step, self.last[start])))

    def pictures(self, index: Tensor) -> Tensor:
        """Frames by index as float32 in [0, 1], (batch, 1, height, width)."""
        return self.frames[index][:, None].float().mul_(self._scale)

    def state(self) -> dict[str, Any]:
        """Position in the stream of training pairs."""
        return {"order": self._before, "position": self._position, "separations": self.separations.get_state()}

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from what `state` returned."""
        self.order.set_state(state["order"].cpu())
        self._shuffle()
        self._position = state["position"]
        self.separations.set_state(state["separations"].cpu())

    def evaluation_sets(self) -> dict[str, tuple[Tensor, Tensor]]:
        """Pictures and factors by name, on the CPU: "marginal" has start frames of the sequences that are trained on,
        "held_out" those of the others, if there are any."""
        sets = {"marginal": self._drawn("marginal", ~self._aside)}
        return sets | ({"held_out": self._drawn("held_out", self._aside)} if self._aside.any() else {})

    def unscored_sets(self) -> dict[str, tuple[Tensor, dict[str, Tensor]]]:
        """Pictures to encode for figures, with what is known of them: the longest sequences, in order of time."""
        lengths = np.where(self._aside, self.sequences.lengths, 0) if self._aside.any() else self.sequences.lengths
        longest = np.sort(np.argsort(-lengths, kind="stable")[:SHOWN_SEQUENCES])
        ranges = [(self.sequences.firsts[i], min(int(lengths[i]), SHOWN_FRAMES)) for i in longest]
        frame = torch.cat([torch.arange(first, first + count) for first, count in ranges])
        return {"sequences": (self._on_cpu(frame), {"frame": frame})}

    def _drawn(self, name: str, wanted: np.ndarray) -> tuple[Tensor, Tensor]:
        """Start frames of some sequences, drawn in batches without replacement."""
        starts, generator = self._starts(wanted).numpy(), numpy_generator(0, "evaluation", name)
        batch = min(EVALUATION_BATCH, len(starts))
        rounds = -(-self.evaluation_samples // batch)
        drawn = [generator.choice(starts, batch, replace=False) for _ in range(rounds)]
        frame = torch.from_numpy(np.concatenate(drawn)[: self.evaluation_samples])
        return self._on_cpu(frame), torch.from_numpy(np.array(self.sequences.factors[frame.numpy()]))

    def _on_cpu(self, frame: Tensor) -> Tensor:
        return self._frames[frame][:, None].float().mul_(self._scale)

    def _starts(self, wanted: np.ndarray) -> Tensor:
        """All frames of some sequences but the last of each."""
        chosen = np.flatnonzero(wanted & (np.asarray(self.sequences.lengths) > 1))
        firsts, lengths = self.sequences.firsts[chosen], np.asarray(self.sequences.lengths)[chosen]
        if not len(chosen):
            raise ValueError("no sequence with two frames is left to draw from; hold out another share of them")
        return torch.from_numpy(np.concatenate([np.arange(a, a + n - 1) for a, n in zip(firsts, lengths, strict=True)]))

    def _shuffle(self) -> None:
        """Begin a new round over all start frames."""
        self._before, self._position = self.order.get_state(), 0
        turn = torch.randperm(len(self.starts), generator=self.order, device=self.device)
        self._permutation = self.starts[turn]


def shrunk(frames: np.ndarray, factor: int) -> tuple[Tensor, float]:
    """Masks (frames, height, width) as sums over blocks of `factor`^2 pixels, uint8, and what makes them means."""
    count, height, width = frames.shape
    if factor == 1:
        return torch.from_numpy(np.array(frames)), 1.0
    blocks = frames.reshape(count, height // factor, factor, width // factor, factor)
    return torch.from_numpy(blocks.sum(axis=(2, 4), dtype=np.uint8)), 1 / factor**2


def held_out_sequences(count: int, share: float) -> np.ndarray:
    """Which of `count` sequences are held out, (count,) bool; the same for all seeds, at least one if any."""
    aside = np.zeros(count, dtype=bool)
    if share:
        chosen = numpy_generator(0, "held_out").permutation(count)[: max(1, round(share * count))]
        aside[chosen] = True
    return aside
