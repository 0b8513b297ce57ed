"""Images of 3DIdent for a training: from an array that is mapped into memory, beside a DataLoader that decodes files.

"bytes": both images of each pair, chosen at random, as bytes. "batch": pairs matched to nearest neighbours, read and
normalised. "step": training steps of ResNet-18 on them.
"""

import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from demix.bench.measure import Call, medians
from demix.datasets.common.conversion import Chunk, Conversion, Split
from demix.datasets.common.folder import write_data
from demix.problems.images import Images
from demix.specs.base import parse
from demix.specs.datasets.common.threedident import SPLITS
from demix.specs.datasets.threedident import RenderedThreeDIdentSpec
from demix.specs.run import RunSpec
from demix.support.building import build
from demix.training.trainee import Trainee

COUNT, FILES = 20_000, 512
"""Images in the array, and of them as files."""

STEP_SIZES = (64, 224)
CPU_STEP_PAIRS = 16
"""Most pairs of a step on a CPU: 512 of the published size take more memory than most machines have."""

STEP_IMAGES = 1000
QUICK = {"count": 60, "files": 20, "size": 16}


def rows(
    batches: Sequence[int], device: torch.device, threads: int, repeats: int, quick: bool = False
) -> Iterator[dict[str, Any]]:
    """A row for each batch (in pairs), part and size of the images."""
    torch.set_num_threads(threads)
    count, files, size = QUICK.values() if quick else (COUNT, FILES, 64)
    with tempfile.TemporaryDirectory() as folder:
        made = images_at(Path(folder) / "small", size, count, device)
        for batch in batches:
            loader = Decoded(made, Path(folder) / "files", files, batch)
            calls: dict[str, Call] = {"ours": partial(read, made, batch), "loader": loader.batch}
            yield _row("bytes", size, batch, medians(calls, device, repeats), device, threads)
            of_batch = medians({"ours": partial(made.batch, batch)}, device, repeats)
            yield _row("batch", size, batch, of_batch, device, threads)
        for size in (16,) if quick else STEP_SIZES:
            problem = images_at(Path(folder) / f"step{size}", size, count if quick else STEP_IMAGES, device)
            spec = RenderedThreeDIdentSpec(preset="smoke", size=size)
            for batch in dict.fromkeys(batches if device.type == "cuda" else (min(b, CPU_STEP_PAIRS) for b in batches)):
                trainee = Trainee(run_spec(spec, batch), 0, problem, device)
                of_step = medians({"ours": partial(trainee.step, 0)}, device, repeats)
                yield _row("step", size, batch, of_step, device, threads)


def _row(
    part: str, size: int, batch: int, times: dict[str, float], device: torch.device, threads: int
) -> dict[str, Any]:
    """Two images make a pair."""
    ours, loader = times["ours"], times.get("loader")
    return {
        "what": "feeding",
        "part": f"{part}, {size} px",
        "batch": batch,
        "ours_ms": ours,
        "loader_ms": loader,
        "time_ratio": loader / ours if loader else None,
        "ours_images_per_second": 2e3 * batch / ours,
        "loader_images_per_second": 2e3 * batch / loader if loader else None,
        "device": device.type,
        "threads": threads,
    }


def images_at(folder: Path, size: int, count: int, device: torch.device) -> Images:
    """The published pairs on images of smooth noise: what is in them costs nothing, but for their compression."""
    spec = RenderedThreeDIdentSpec(preset="smoke", size=size, train=count, test=4)
    generator = np.random.default_rng(0)

    def chunks(split: str) -> Iterator[Chunk]:
        latents = build(spec).latents(split)
        for first in range(0, len(latents), 100):
            some = latents[first : first + 100]
            coarse = generator.integers(60, 180, (len(some), 8, 8, 3), dtype=np.uint8)
            smooth = np.repeat(np.repeat(coarse, -(-size // 8), axis=1), -(-size // 8), axis=2)[:, :size, :size]
            yield smooth + generator.integers(0, 4, smooth.shape, dtype=np.uint8), {"factors": some}

    write_data(folder, spec, "", Conversion({split: Split(spec.shards[split], chunks(split)) for split in SPLITS}))
    return build(run_spec(spec, 2).problem, seed=0, folder=folder, device=device)


def run_spec(data: RenderedThreeDIdentSpec, batch: int) -> RunSpec:
    """The run of the first row of the published tables."""
    content = {
        "problem": {"kind": "images", "data": data, "pairs": "matched", "evaluation_batch": 512},
        "model": {"encoder": "resnet18", "output": "box", "objective": {"kind": "lp_infonce", "exponent": 2}},
        "training": {"batch_size": batch},
    }
    return parse(RunSpec, content, "feeding")


def read(problem: Images, batch: int) -> list[np.ndarray]:
    """Both images of some pairs as bytes, at random."""
    array = problem.data.images["train"]
    numbers = np.random.default_rng(0).integers(0, len(array), (2, batch))
    return [array[some] for some in numbers]


class _Files(Dataset):
    """An item for each of endless pairs, as data sets are written: two files opened and decoded by pillow."""

    def __init__(self, paths: list[Path]):
        self.paths = paths

    def __len__(self) -> int:
        return 1 << 30

    def __getitem__(self, item: int) -> tuple[Tensor, Tensor]:
        return self._image(2 * item), self._image(2 * item + 1)

    def _image(self, number: int) -> Tensor:
        from PIL import Image

        with Image.open(self.paths[number % len(self.paths)]) as image:
            return torch.from_numpy(np.array(image.convert("RGB")))


class Decoded:
    """The same bytes from PNG files through a DataLoader in this process."""

    def __init__(self, problem: Images, folder: Path, count: int, batch: int):
        from PIL import Image

        folder.mkdir(exist_ok=True)
        paths = [folder / f"{number}.png" for number in range(count)]
        for path, pixels in zip(paths, problem.data.images["train"], strict=False):
            if not path.exists():
                Image.fromarray(np.asarray(pixels)).save(path)
        self._batches = iter(DataLoader(_Files(paths), batch))

    def batch(self) -> list[Tensor]:
        """The next pairs."""
        return next(self._batches)
