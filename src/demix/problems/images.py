"""Images of one data set: pairs for training by a pair law, and images to score on.

Which images make a pair depends on seed and position in the stream alone: the state of the data stream is one number.
Where the images are too many to lie on the device and that is a GPU, the next batch is read in the background.
"""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from demix.datasets.common.images import TRAIN, ImageData, open_images
from demix.pairs.common.base import Pairs, Samples
from demix.pairs.common.prefetch import Prefetcher, background_of
from demix.problems.common.batch import Batch
from demix.problems.common.evaluation import EvaluationSet, chosen_sets
from demix.problems.common.observations import Stored
from demix.problems.common.pixels import Pixels
from demix.specs.datasets import DatasetSpec
from demix.specs.pairs import PairLawSpec
from demix.specs.problems.images import EVAL_MODE
from demix.support.building import build
from demix.support.randomness import numpy_generator

SEQUENCES = "sequences"
"""Name of the set of whole sequences, which figures show; tables have no score of it."""

SHOWN_SEQUENCES, SHOWN_FRAMES = 3, 60
"""Longest sequences, and first frames of each, that are in it."""

STARTS_AT_ONCE = 16
"""Start frames that are drawn without replacement at a time to be scored, as in the authors' code."""


class Images:
    """The problem of one seed.

    Args:
        data, pairs, shrink, held_out, normalization, evaluation_samples, evaluation_batch, whole_batches, eval_mode,
            identity_samples: fields of the spec.
        seed: of the training pairs. Held-out sequences and evaluation samples are the same for all seeds.
        folder: of the data.
        device: where batches go.
    """

    def __init__(
        self,
        *,
        data: DatasetSpec,
        pairs: PairLawSpec,
        shrink: int,
        held_out: float,
        normalization: str,
        evaluation_samples: int,
        evaluation_batch: int,
        whole_batches: bool,
        eval_mode: bool,
        identity_samples: int,
        seed: int,
        folder: Path,
        device: torch.device | str = "cpu",
    ):
        self.splits, self.seed, self.device = data.evaluation_splits, seed, torch.device(device)
        self.evaluation_samples, self.evaluation_batch = evaluation_samples, evaluation_batch
        self.whole_batches, self.eval_mode, self.identity_samples = whole_batches, eval_mode, identity_samples
        dataset = build(data)
        self.data: ImageData = dataset.open(folder) if hasattr(dataset, "open") else open_images(folder)
        if TRAIN not in self.data.images:
            raise ValueError(f"data set {data.kind} has no split {TRAIN} to train on")
        self.pixels = {
            split: Pixels(images, self.data.white, shrink, self.device) for split, images in self.data.images.items()
        }
        self.mean_and_std = self._on_device(normalization_of(dataset, self.data, normalization))
        sequences = self.data.sequences.get(TRAIN)
        self._aside = None if sequences is None else held_out_sequences(len(sequences.lengths), held_out)
        known = self.data.known[TRAIN]
        samples = Samples(self._trained(), known, sequences, None if self._aside is None else ~self._aside)
        self.law = build(pairs, samples=samples, seed=seed, device=self.device)
        where = self.device if self.pixels[TRAIN].on_device else "cpu"
        self._factors = torch.from_numpy(known["factors"]).to(where) if "factors" in known else None
        self._reader = Prefetcher(self._read, None if self.pixels[TRAIN].on_device else background_of(self.device))
        self._position = 0

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Channels, height and width."""
        return self.pixels[TRAIN].shape

    def batch(self, size: int) -> Batch:
        """The next pairs.

        Raises:
            ValueError: the law has too few images for `size` pairs.
        """
        position = self._position
        pairs, members = self._reader.get((position, size), then=(position + size, size))
        self._position += size
        anchor, positive, *negatives = (self._seen(pixels, position, member) for member, pixels in enumerate(members))
        factors = None
        if self._factors is not None:
            factors = self._factors[pairs.anchor.to(self._factors.device)].to(self.device)
        return Batch(anchor, positive, factors, negatives[0] if negatives else None, pairs.source)

    def _read(self, where: tuple[int, int]) -> tuple[Pairs, list[Tensor]]:
        """Pairs, and their anchors, partners and (if any) negatives as bytes, on their way to the device."""
        pairs, read = self.law.pairs(*where), self.pixels[TRAIN].read
        anchor = read(pairs.anchor)
        positive = anchor if pairs.positive is pairs.anchor else read(pairs.positive)
        return pairs, [anchor, positive, *([] if pairs.negatives is None else [read(pairs.negatives)])]

    def _seen(self, pixels: Tensor, position: int, member: int) -> Tensor:
        return self._normalized(self.law.view(self.pixels[TRAIN].unit(pixels), position, member))

    def _normalized(self, images: Tensor) -> Tensor:
        if self.mean_and_std is None:
            return images
        mean, std = self.mean_and_std
        return (images - mean) / std

    def _on_device(self, values: tuple[tuple[float, ...], tuple[float, ...]] | None) -> tuple[Tensor, ...] | None:
        if values is None:
            return None
        return tuple(torch.tensor(part, device=self.device)[:, None, None] for part in values)

    def state(self) -> dict[str, Any]:
        """Position in the stream of training pairs."""
        return {"position": self._position}

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from what `state` returned."""
        self._position = state["position"]

    def facts(self) -> dict[str, float]:
        """What tables show beside the scores: what the law says of its pairs."""
        return self.law.facts()

    # ---------------------------------------------------------------------------------------------------- evaluation

    def evaluation_sets(self, names: Iterable[str] | None = None) -> dict[str, EvaluationSet]:
        """Images with what is known of them.

        The same for all seeds: start frames of sequences, in batches without replacement; other images in a shuffled
        order. "marginal" has images of the split that is trained on, "held_out" start frames of the sequences that are
        not. With `eval_mode` the same again, to be encoded with the running averages of batch norm. Of sequences
        "sequences" has the longest, held-out ones if there are any, in order of time.
        """
        sets: dict[str, Callable[[], EvaluationSet]] = {}
        for averages in (False, True) if self.eval_mode else (False,):
            for name in self.scored:
                sets[name + EVAL_MODE * averages] = partial(self._scored, name, averages)
        if self._aside is not None:
            sets[SEQUENCES] = self._shown
        return chosen_sets(sets, names)

    @property
    def scored(self) -> tuple[str, ...]:
        """Names of the sets that are scored, however they are encoded."""
        aside = self._aside is not None and bool(self._aside.any())
        return self.splits + (("held_out",) if aside else ())

    def _scored(self, name: str, running_averages: bool) -> EvaluationSet:
        split, candidates = self._candidates(name)
        generator = numpy_generator(0, "evaluation", name)
        if split in self.data.sequences:
            batch = min(STARTS_AT_ONCE, len(candidates))
            rounds = -(-self.evaluation_samples // batch)
            drawn = [generator.choice(candidates, batch, replace=False) for _ in range(rounds)]
            numbers = np.concatenate(drawn)[: self._whole(self.evaluation_samples)]
        else:
            count = self._whole(min(self.evaluation_samples, len(candidates)))
            numbers = candidates[generator.permutation(len(candidates))[:count]]
        known = {what: values[numbers] for what, values in self.data.known[split].items()}
        return EvaluationSet(self._stored(split, numbers, running_averages), known)

    def _shown(self) -> EvaluationSet:
        sequences, aside = self.data.sequences[TRAIN], self._aside
        assert aside is not None
        lengths = np.where(aside, sequences.lengths, 0) if aside.any() else sequences.lengths
        longest = np.sort(np.argsort(-lengths, kind="stable")[:SHOWN_SEQUENCES])
        ranges = [(sequences.firsts[i], min(int(lengths[i]), SHOWN_FRAMES)) for i in longest]
        frames = np.concatenate([np.arange(first, first + count) for first, count in ranges])
        return EvaluationSet(self._stored(TRAIN, frames, False), {"frames": frames})

    def _stored(self, split: str, numbers: NDArray[np.int64], running_averages: bool) -> Stored:
        pixels = self.pixels[split]

        def read(some: NDArray[np.int64]) -> Tensor:
            return self._normalized(pixels.unit(pixels.read(torch.from_numpy(some))))

        return Stored(read, numbers, min(self.evaluation_batch, len(numbers)), running_averages)

    def _whole(self, count: int) -> int:
        """`count` rounded down to whole batches, if `whole_batches` is set."""
        return count - count % self.evaluation_batch if self.whole_batches and count > self.evaluation_batch else count

    def _candidates(self, name: str) -> tuple[str, NDArray[np.int64]]:
        """Split of a scored set, and the numbers of the images that it may have."""
        split = TRAIN if name in ("marginal", "held_out") else name
        if split == TRAIN and self._aside is not None:
            wanted = self._aside if name == "held_out" else ~self._aside
            return split, self.data.sequences[TRAIN].starts(wanted)
        if split in self.data.sequences:
            sequences = self.data.sequences[split]
            return split, sequences.starts(np.ones(len(sequences.lengths), dtype=bool))
        return split, np.arange(len(self.data.images[split]))

    def _trained(self) -> NDArray[np.int64]:
        """Numbers of the images that are trained on."""
        if self._aside is None:
            return np.arange(len(self.data.images[TRAIN]))
        return np.flatnonzero(~self._aside[self.data.sequences[TRAIN].owner])

    def flattened(self, name: str) -> EvaluationSet:
        """Raw pixels, normalised, of some images that a scored set may have: another draw for every seed.

        Returns:
            Observations (samples, channels * height * width) on the CPU.
        """
        split, candidates = self._candidates(name)
        generator = numpy_generator(self.seed, "identity", name)
        numbers = candidates[generator.permutation(len(candidates))[: self.identity_samples]]
        images = self._normalized(self.pixels[split].unit(self.pixels[split].read(torch.from_numpy(numbers))))
        known = {what: values[numbers] for what, values in self.data.known[split].items()}
        return EvaluationSet(images.flatten(1).cpu(), known)


def normalization_of(dataset: Any, data: ImageData, name: str) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """Mean and std of channels that a problem asks for by name; None for none.

    Args:
        dataset: the implementation of the data set, which has its own constants and says what "default" means.
    """
    if name == "default":
        name = getattr(dataset, "normalization", "none")
    if name == "none":
        return None
    return (data.mean, data.std) if name == "own" else dataset.constants[name]


def held_out_sequences(count: int, share: float) -> NDArray[np.bool_]:
    """Which of `count` sequences are held out, (count,); the same for all seeds, at least one if any."""
    aside = np.zeros(count, dtype=bool)
    if share:
        chosen = numpy_generator(0, "held_out").permutation(count)[: max(1, round(share * count))]
        aside[chosen] = True
    return aside
