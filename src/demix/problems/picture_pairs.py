"""Pairs of pictures for training, and pictures to score on, read from arrays that are mapped into memory.

Which pictures make pair number i depends on seed and i alone: the state of the data stream is one number. On a GPU
the next batch is read, and the next block of pairs drawn, in the background, so that the device does not wait.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from demix.datasets.common.picture_arrays import PictureFolder
from demix.problems.common.batch import Batch
from demix.problems.common.observations import Stored
from demix.specs.base import Component
from demix.specs.picture_pairs import EVAL_MODE
from demix.specs.pictures import LATENTS, SPLITS, Pictures
from demix.support.building import build
from demix.support.randomness import numpy_generator

BLOCK = 8192
"""Pairs that are drawn at once."""

AUTHORS = (0.3292, 0.3278, 0.3215), (0.0778, 0.0776, 0.0771)
"""Mean and std of the authors' code. They do not fit the published pictures, and need not."""


class PicturePairs:
    """The problem of one seed.

    Args:
        data, views, normalization, evaluation_samples, evaluation_batch, whole_batches, eval_mode, identity_samples:
            fields of the spec.
        seed: of the training pairs. Evaluation samples are the same for all seeds.
        pictures: the data.
        device: where batches go.
    """

    def __init__(
        self,
        *,
        data: Pictures,
        views: Component,
        normalization: str,
        evaluation_samples: int,
        evaluation_batch: int,
        whole_batches: bool,
        eval_mode: bool,
        identity_samples: int,
        seed: int,
        pictures: PictureFolder,
        device: torch.device | str = "cpu",
    ):
        self.data, self.pictures, self.device, self.seed = data, pictures, torch.device(device), seed
        self.evaluation_samples, self.evaluation_batch = evaluation_samples, evaluation_batch
        self.whole_batches, self.eval_mode, self.identity_samples = whole_batches, eval_mode, identity_samples
        columns = [LATENTS.index(name) for name in data.free]
        self.latents = {split: np.ascontiguousarray(pictures.latents[split][:, columns]) for split in SPLITS}
        self.views = build(views, latents=self.latents["train"], seed=seed)
        own = normalization == "own" or (normalization == "source" and data.kind == "rendered_pictures")
        mean, std = (pictures.mean, pictures.std) if own else AUTHORS
        self.mean, self.std = (torch.tensor(values, device=self.device)[:, None, None] for values in (mean, std))
        background = ThreadPoolExecutor(1) if self.device.type == "cuda" else None
        self._blocks = Ahead(lambda block: self.views.pairs(block, BLOCK), background)
        self._reader = Ahead(self._read, ThreadPoolExecutor(1) if background else None)
        self._position = 0

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Channels, height and width."""
        return 3, *self.pictures.pictures["train"].shape[1:3]

    def batch(self, size: int) -> Batch:
        """The next pairs."""
        position = self._position
        first, pixels = self._reader.get((position, size), then=(position + size, size))
        self._position += size
        views = [
            self._normalized(self.views.view(self._unit(part), position, member)) for member, part in enumerate(pixels)
        ]
        factors = torch.from_numpy(self.latents["train"][first]).to(self.device)
        return Batch(anchor=views[0], positive=views[1], factors=factors)

    def state(self) -> dict[str, Any]:
        """Position in the stream of training pairs."""
        return {"position": self._position}

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from what `state` returned."""
        self._position = state["position"]

    def facts(self) -> dict[str, float]:
        """What tables show beside the scores: how wide the pairs are."""
        return self.views.facts()

    def numbers(self, position: int, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Numbers of the pictures of pairs `position`, ..., `position + size - 1`."""
        blocks = range(position // BLOCK, -(-(position + size) // BLOCK))
        drawn = [self._blocks.get(block, then=block + 1) for block in blocks]
        start = position - blocks.start * BLOCK
        first, other = (np.concatenate(parts)[start : start + size] for parts in zip(*drawn, strict=True))
        return first, other

    def _read(self, where: tuple[int, int]) -> tuple[NDArray[np.int64], list[Tensor]]:
        """Numbers of the first pictures, and both pictures of each pair as bytes, on their way to the device."""
        first, other = self.numbers(*where)
        one = self._pixels("train", first)
        return first, [one, one if other is first or np.array_equal(first, other) else self._pixels("train", other)]

    def _pixels(self, split: str, numbers: NDArray[np.int64]) -> Tensor:
        """Pictures as bytes (n, size, size, 3), on a GPU in memory that can be copied from in the background."""
        pixels = torch.from_numpy(self.pictures.pictures[split][numbers])
        return pixels.pin_memory() if self.device.type == "cuda" else pixels

    def _unit(self, pixels: Tensor) -> Tensor:
        """Bytes (n, size, size, 3) as float32 (n, 3, size, size) in [0, 1] on the device."""
        on_device = pixels.to(self.device, non_blocking=True)
        return on_device.permute(0, 3, 1, 2).to(torch.float32, memory_format=torch.contiguous_format).div_(255)

    def _normalized(self, pictures: Tensor) -> Tensor:
        return (pictures - self.mean) / self.std

    def evaluation_sets(self) -> dict[str, tuple[Stored, Tensor]]:
        """Pictures and latents by name, "test" and "train", in a shuffled order and whole batches; with `eval_mode`
        the same again, to be encoded with the running averages of batch norm."""
        sets = {}
        for mode in (False, True) if self.eval_mode else (False,):
            for split in reversed(SPLITS):
                numbers = self._chosen(split)
                stored = Stored(self._reading(split), numbers, min(self.evaluation_batch, len(numbers)), mode)
                sets[split + EVAL_MODE * mode] = stored, torch.from_numpy(self.latents[split][numbers])
        return sets

    def _chosen(self, split: str) -> NDArray[np.int64]:
        available = len(self.latents[split])
        count, batch = min(self.evaluation_samples, available), self.evaluation_batch
        if self.whole_batches and count > batch:
            count -= count % batch
        return numpy_generator(0, "evaluation", split).permutation(available)[:count]

    def _reading(self, split: str) -> Callable[[NDArray[np.int64]], Tensor]:
        return lambda numbers: self._normalized(self._unit(self._pixels(split, numbers)))

    def unscored_sets(self) -> dict:
        """Observations that figures show and nobody scores: none."""
        return {}

    def flattened(self, split: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Normalised pixels (samples, 3 size^2) and latents of some pictures, another draw for every seed."""
        available = len(self.latents[split])
        numbers = numpy_generator(self.seed, "identity", split).permutation(available)[: self.identity_samples]
        pictures = self._normalized(self._unit(torch.from_numpy(self.pictures.pictures[split][numbers])))
        return pictures.flatten(1).cpu().numpy(), self.latents[split][numbers]


class Ahead:
    """Results of a function of one argument, computed before they are asked for if there is someone to do it.

    Args:
        function: gives the same result whenever it is called.
        background: does the work ahead; without, everything is computed when asked for, and the last result is kept.
    """

    def __init__(self, function: Callable[[Any], Any], background: ThreadPoolExecutor | None):
        self._function, self._background = function, background
        self._known: dict[Any, Future] = {}

    def get(self, argument: Any, then: Any) -> Any:
        """The result for `argument`; that for `then` is begun."""
        found = self._known.get(argument) or self._begin(argument)
        self._known = {
            argument: found,
            **({then: self._known.get(then) or self._begin(then)} if self._background else {}),
        }
        return found.result()

    def _begin(self, argument: Any) -> Future:
        if self._background:
            return self._background.submit(self._function, argument)
        done: Future = Future()
        done.set_result(self._function(argument))
        return done
