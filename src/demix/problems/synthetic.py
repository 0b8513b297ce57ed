"""A synthetic problem: draws latents, pairs and observations from its generative process, an endless stream of them."""

import zipfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from demix.problems.common.batch import Batch
from demix.problems.common.evaluation import EvaluationSet, chosen_sets
from demix.specs.latents.densities import DensitySpec
from demix.specs.latents.generators import GeneratorSpec
from demix.specs.latents.spaces import SpaceSpec
from demix.support.building import build
from demix.support.errors import DataError
from demix.support.randomness import torch_generator

GENERATOR_FILE = "generator.npz"


class SyntheticProblem:
    """Latents, pairs and observations of one seed. `build(spec, seed=...)` makes one from a spec.

    Args:
        space, dim, marginal, conditional, generator, evaluation_samples: fields of the spec.
        seed: of the generator, the evaluation latents and the training data.
        device: where training data is drawn.
        folder: holds the generator's arrays, if they were drawn before; else they are drawn.
    """

    def __init__(
        self,
        *,
        space: SpaceSpec,
        dim: int,
        marginal: DensitySpec,
        conditional: DensitySpec | None,
        generator: GeneratorSpec,
        evaluation_samples: int,
        seed: int,
        device: torch.device | str = "cpu",
        folder: Path | None = None,
    ):
        self.dim, self.seed, self.evaluation_samples = dim, seed, evaluation_samples
        self.space = build(space, dim=dim)
        self.marginal = build(marginal)
        self.conditional = None if conditional is None else build(conditional)
        arrays = _drawn_before(folder / GENERATOR_FILE) if folder else None
        self.generator = build(generator, dim=dim, seed=seed, arrays=arrays)
        self.observe = self.generator.on(device)
        self.stream = torch_generator(seed, "data", device=device)

    def latents(self, count: int, stream: torch.Generator) -> Tensor:
        """Fresh latents from the marginal, (count, dim), on the stream's device."""
        center = self.space.middle().to(stream.device).expand(count, self.dim)
        return self.space.draw(self.marginal, center, stream)

    def partners(self, latents: Tensor, stream: torch.Generator) -> Tensor:
        """One partner for every latent from the conditional, (count, dim)."""
        assert self.conditional is not None, "the problem has no conditional"
        return self.space.draw(self.conditional, latents, stream)

    def batch(self, size: int) -> Batch:
        """The next training batch; with pairs where the problem has a conditional."""
        z = self.latents(size, self.stream)
        positive = None if self.conditional is None else self.observe(self.partners(z, self.stream))
        return Batch(anchor=self.observe(z), positive=positive, factors=z)

    def state(self) -> Tensor:
        """Position in the stream of training batches."""
        return self.stream.get_state()

    def load_state(self, state: Tensor) -> None:
        """Go on from what `state` returned."""
        self.stream.set_state(state.cpu())

    def evaluation_sets(self, names: Iterable[str] | None = None) -> dict[str, EvaluationSet]:
        """By name, on the CPU: "marginal" has fresh latents from the marginal.

        They do not depend on the conditional, nor on the device.
        """
        return chosen_sets({"marginal": self._fresh}, names)

    def _fresh(self) -> EvaluationSet:
        z = self.latents(self.evaluation_samples, torch_generator(self.seed, "evaluation"))
        return EvaluationSet(self.generator.on("cpu")(z), {"factors": z.numpy()})

    def facts(self) -> dict[str, float]:
        """What tables show beside the scores: nothing."""
        return {}


def _drawn_before(file: Path) -> dict[str, np.ndarray]:
    """Arrays of a generator. Not by `demix.support.files`, which would be in the keys of all synthetic runs.

    Raises:
        DataError: the file is missing or damaged.
    """
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise DataError(f"{file}: not an npz file ({error}); delete its folder to have it made again") from None
