"""The contract of objectives, and the records that they get and return."""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from demix.problems.common.batch import Batch
from demix.support.randomness import torch_generator


@dataclass(frozen=True)
class Loss:
    """A loss to minimise and the parts it is made of, for the history.

    Args:
        total: scalar.
        terms: detached scalars by name.
    """

    total: Tensor
    terms: dict[str, Tensor] = field(default_factory=dict)


@dataclass(frozen=True)
class Surroundings:
    """What an objective may use to build networks and parameters of its own.

    Args:
        kernel: "eager" or "compiled", as the training declares; an objective that has no such choice ignores it.
        observation_shape: shape of an observation.
        dim: number of codes.
        device: where the loss is computed.
        seed: of the run.
    """

    kernel: str
    observation_shape: tuple[int, ...]
    dim: int
    device: torch.device
    seed: int

    def generator(self, *name: str, on_device: bool = False) -> torch.Generator:
        """A source of random numbers for one purpose, on the CPU, or on the device of the loss."""
        return torch_generator(self.seed, *name, device=self.device if on_device else "cpu")


class Objective(nn.Module):
    """A loss of an encoder on a batch. Parameters of its own, such as a metric, are trained too."""

    backend = "eager"
    """What computes the loss, for the record: with another one the last bits differ."""

    def set_up(self, surroundings: Surroundings) -> None:
        """Build what only the run knows enough for, such as a decoder or a metric, before the first step."""

    def forward(self, encode: Callable[[Tensor], Tensor], batch: Batch, progress: float) -> Loss:
        """The loss.

        Args:
            encode: observations to codes, (batch, ...) to (batch, dim).
            batch: data of this step.
            progress: fraction of the steps that are done, in [0, 1).
        """
        raise NotImplementedError
