"""Pairs of masks: all of them on the device and drawn by index, beside a standard DataLoader with workers."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from demix.bench.measure import medians
from demix.datasets.common.conversion import Conversion, whole
from demix.datasets.common.folder import write_data
from demix.datasets.common.images import ImageData, open_images
from demix.problems.common.batch import Batch
from demix.problems.images import Images
from demix.specs.base import parse
from demix.specs.datasets.kitti_masks import KittiMasksSpec
from demix.specs.run import RunSpec
from demix.support.building import build
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
    calls_at_once = 2 if quick else 20
    with tempfile.TemporaryDirectory() as name:
        folder = masks_in(Path(name), QUICK_SEQUENCES if quick else SEQUENCES)
        for batch in batches:
            for part in ("batch", "step"):
                problems = {"ours": problem_of(folder, device), "loader": Loaded(open_images(folder), batch, device)}
                calls = {name: _call(part, problem, batch, device, calls_at_once) for name, problem in problems.items()}
                times = {name: time / calls_at_once for name, time in medians(calls, device, repeats).items()}
                yield _row(part, batch, times, device, threads)


def _row(part: str, batch: int, times: dict[str, float], device: torch.device, threads: int) -> dict[str, Any]:
    return {
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


def masks_in(folder: Path, count: int) -> Path:
    """A folder of random masks of the published size: what is in them costs nothing."""
    frames = np.random.default_rng(0).integers(0, 2, (count * FRAMES, 64, 64, 1), dtype=np.uint8)
    masks = whole(frames, lengths=np.full(count, FRAMES), factors=np.zeros((len(frames), 3)))
    write_data(folder, KittiMasksSpec(), "", Conversion({"train": masks}, white=1))
    return folder


def problem_of(folder: Path, device: torch.device) -> Images:
    """Ours."""
    return build(run_spec(2).problem, seed=0, folder=folder, device=device)


class _Pairs(Dataset):
    """An item for every start frame, as data sets are written: one mask at a time, converted by numpy."""

    def __init__(self, data: ImageData):
        sequences = data.sequences["train"]
        self.frames = np.asarray(data.images["train"])[..., 0]
        self.starts = sequences.starts(np.ones(len(sequences.lengths), dtype=bool))
        self.last = sequences.last

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, item: int) -> tuple[Tensor, Tensor]:
        start = self.starts[item]
        step = int(torch.randint(1, SEPARATION + 1, ()))  # workers have generators of their own
        return self._mask(start), self._mask(min(start + step, self.last[start]))

    def _mask(self, frame: int) -> Tensor:
        return torch.from_numpy(self.frames[frame].astype(np.float32))[None]


class Loaded:
    """The same problem through a DataLoader: shuffled, last batch dropped, begun anew at its end."""

    def __init__(self, data: ImageData, batch: int, device: torch.device):
        self.observation_shape = (1, *data.images["train"].shape[1:3])
        self.device = device
        self.loader: DataLoader = DataLoader(
            _Pairs(data), batch, shuffle=True, drop_last=True, num_workers=WORKERS, persistent_workers=True
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
    pairs = {"kind": "frames_of_a_sequence", "max_separation": SEPARATION}
    data = {
        "problem": {"kind": "images", "data": "kitti_masks", "pairs": pairs},
        "model": {"codes": 10, "encoder": "conv", "output": "unbounded", "objective": objective},
        "training": {"batch_size": batch},
    }
    return parse(RunSpec, data, "loading")
