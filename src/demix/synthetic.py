"""A synthetic generative process at work: latents, pairs and observations, drawn as long as they are wanted."""

import numpy as np
import torch
from torch import Tensor

from demix.batch import Batch
from demix.building import build
from demix.mixing import MixingNetwork, draw_mixing_weights
from demix.randomness import numpy_generator, torch_generator
from demix.specs.densities import Density
from demix.specs.problem import Mixing
from demix.specs.spaces import Space


class SyntheticProblem:
    """Latents, pairs and observations of one seed. `build(spec, seed=...)` makes one from a spec.

    Args:
        space, dim, marginal, conditional, mixing, evaluation_samples: fields of the spec.
        seed: of the mixing network, the evaluation latents and the training data.
        device: where training data is drawn.
        weights: of the mixing network, if they were drawn before; else they are drawn.
    """

    def __init__(
        self,
        *,
        space: Space,
        dim: int,
        marginal: Density,
        conditional: Density | None,
        mixing: Mixing,
        evaluation_samples: int,
        seed: int,
        device: torch.device | str = "cpu",
        weights: list[np.ndarray] | None = None,
    ):
        self.dim, self.seed, self.evaluation_samples = dim, seed, evaluation_samples
        self.space = build(space, dim=dim)
        self.marginal = build(marginal)
        self.conditional = None if conditional is None else build(conditional)
        self.weights = mixing_weights(mixing, dim, seed) if weights is None else weights
        tensors = [torch.as_tensor(w, dtype=torch.float32, device=device) for w in self.weights]
        self.mixing = MixingNetwork(tensors, mixing.slope, mixing.last_activation)
        self.generator = torch_generator(seed, "data", device=device)

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Shape of an observation: g does not change the dimension."""
        return (self.dim,)

    def latents(self, count: int, generator: torch.Generator) -> Tensor:
        """Fresh latents from the marginal, (count, dim), on the generator's device."""
        center = self.space.middle().to(generator.device).expand(count, self.dim)
        return self.space.draw(self.marginal, center, generator)

    def partners(self, latents: Tensor, generator: torch.Generator) -> Tensor:
        """One partner for every latent from the conditional, (count, dim)."""
        assert self.conditional is not None, "the problem has no conditional"
        return self.space.draw(self.conditional, latents, generator)

    def batch(self, size: int) -> Batch:
        """The next training batch; with pairs where the problem has a conditional."""
        z = self.latents(size, self.generator)
        positive = None if self.conditional is None else self.mixing(self.partners(z, self.generator))
        return Batch(anchor=self.mixing(z), positive=positive, factors=z)

    def state(self) -> Tensor:
        """Position in the stream of training batches."""
        return self.generator.get_state()

    def load_state(self, state: Tensor) -> None:
        """Go on from what `state` returned."""
        self.generator.set_state(state.cpu())

    def evaluation_sets(self) -> dict[str, tuple[Tensor, Tensor]]:
        """Observations and true latents by name, on the CPU: "marginal" has fresh latents from the marginal.

        They do not depend on the conditional, nor on the device.
        """
        z = self.latents(self.evaluation_samples, torch_generator(self.seed, "evaluation"))
        mixing = MixingNetwork([w.cpu() for w in self.mixing.weights], self.mixing.slope, self.mixing.last_activation)
        return {"marginal": (mixing(z), z)}

    def unscored_sets(self) -> dict:
        """Observations that figures show and nobody scores: none."""
        return {}


def mixing_weights(mixing: Mixing, dim: int, seed: int) -> list[np.ndarray]:
    """The weights of g for a seed, the same for all problems with that number of latents and kind of mixing."""
    return draw_mixing_weights(
        dim,
        mixing.layers,
        candidates=mixing.candidates,
        normalize=mixing.normalize,
        selection=mixing.selection,
        generator=numpy_generator(seed, "mixing"),
    )
