"""Pairs of pictures: all masks on the device and drawn by index, beside a standard DataLoader with workers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from demix.bench.measure import medians
from demix.datasets.common.mask_sequences import MaskSequences
from demix.problems.common.batch import Batch
from demix.problems.mask_pairs import MaskPairs
from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.training.trainee import Trainee

WORKERS = 2
"""Of the DataLoader, as in the authors' code."""

SEPARATION = 5
SEQUENCES, FRAMES, QUICK_SEQUENCES = 1000, 80, 20
"""About as many frames as KITTI Masks has; fewer to see that it works."""


def rows(
    batches: Sequence[int], device: torch.device, threads: int, repeats: int, quick: bool = False
) -> Iterator[dict[str, Any]]:
    """A row for each batch (in pairs) and part: "batch", pairs alone; "step", whole steps of a published run."""
    torch.set_num_threads(threads)
    sequences = synthetic_masks(QUICK_SEQUENCES if quick else SEQUENCES)
    calls_at_once = 2 if quick else 20
    for batch in batches:
        for part in ("batch", "step"):
            sides = {"ours": problem_of(sequences, device), "loader": Loaded(sequences, batch, device)}
            calls = {name: _call(part, problem, batch, device, calls_at_once) for name, problem in sides.items()}
            times = {name: time / calls_at_once for name, time in medians(calls, device, repeats).items()}
            yield {
                "what": "loading",
                "part": part,
                "batch": batch,
                "ours_ms": times["ours"],
                "loader_ms": times["loader"],
                "time_ratio": times["loader"] / times["ours"],
                "ours_per_second": 1e3 / times["ours"],
                "loader_per_second": 1e3 / times["loader"],
                "device": device.type,
                "threads": threads,
            }


def synthetic_masks(count: int) -> MaskSequences:
    """Random masks of the published size: what is in them costs nothing."""
    generator = np.random.default_rng(0)
    frames = generator.integers(0, 2, (count * FRAMES, 64, 64), dtype=np.uint8)
    return MaskSequences(frames, np.zeros((len(frames), 3), np.float32), np.full(count, FRAMES))


def problem_of(sequences: MaskSequences, device: torch.device) -> MaskPairs:
    """Ours."""
    settings: dict[str, Any] = {"shrink": 1, "held_out": 0.0, "evaluation_samples": 16, "seed": 0}
    return MaskPairs(data=None, max_separation=SEPARATION, sequences=sequences, device=device, **settings)


class _Pairs(Dataset):
    """An item for every start frame, as data sets are written: one picture at a time, converted by numpy."""

    def __init__(self, sequences: MaskSequences):
        self.sequences = sequences
        lengths = sequences.lengths
        self.starts = np.concatenate([np.arange(a, a + n - 1) for a, n in zip(sequences.firsts, lengths, strict=True)])
        self.last = np.repeat(sequences.firsts + lengths - 1, lengths)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, item: int) -> tuple[Tensor, Tensor]:
        start = self.starts[item]
        step = int(torch.randint(1, SEPARATION + 1, ()))  # workers have generators of their own
        return self._picture(start), self._picture(min(start + step, self.last[start]))

    def _picture(self, frame: int) -> Tensor:
        return torch.from_numpy(self.sequences.frames[frame].astype(np.float32))[None]


class Loaded:
    """The same problem through a DataLoader: shuffled, last batch dropped, begun anew at its end."""

    def __init__(self, sequences: MaskSequences, batch: int, device: torch.device):
        self.observation_shape = (1, *sequences.frames.shape[1:])
        self.device = device
        self.loader: DataLoader = DataLoader(
            _Pairs(sequences), batch, shuffle=True, drop_last=True, num_workers=WORKERS, persistent_workers=True
        )
        self.pairs = iter(self.loader)

    def batch(self, size: int) -> Batch:
        """The next pairs, on the device."""
        try:
            anchor, positive = next(self.pairs)
        except StopIteration:
            self.pairs = iter(self.loader)
            anchor, positive = next(self.pairs)
        return Batch(anchor=anchor.to(self.device), positive=positive.to(self.device))


def _call(part: str, problem: Any, batch: int, device: torch.device, count: int) -> Callable[[], object]:
    """A call that draws `count` batches, or makes as many training steps on them."""
    if part == "batch":
        return lambda: [problem.batch(batch) for _ in range(count)]
    trainee = Trainee(run_spec(batch), 0, problem, device)
    return lambda: [trainee.step(0) for _ in range(count)]


def run_spec(batch: int) -> RunSpec:
    """The run of the published table with p = 1 and an unbounded model."""
    objective = {"kind": "lp_infonce", "exponent": 1}
    data = {
        "problem": {"kind": "mask_pairs", "max_separation": SEPARATION},
        "model": {"codes": 10, "encoder": "conv", "output": "unbounded", "objective": objective},
        "training": {"batch_size": batch},
    }
    return parse(RunSpec, data, "loading")
