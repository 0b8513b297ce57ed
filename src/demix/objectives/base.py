"""What an objective is and what it returns."""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from demix.batch import Batch


@dataclass(frozen=True)
class Loss:
    """A loss to minimise and the parts it is made of, for the history.

    Args:
        total: scalar.
        terms: detached scalars by name.
    """

    total: Tensor
    terms: dict[str, Tensor] = field(default_factory=dict)


class Objective(nn.Module):
    """A loss of an encoder on a batch. Parameters of its own, such as a metric, are trained too."""

    backend = "eager"
    """What computes the loss, for the record: with another one the last bits differ."""

    def set_up(self, *, kernel: str, dim: int, device: torch.device, generator: torch.Generator) -> None:
        """Do what only the run knows enough for, before the first step.

        Args:
            kernel: "eager" or "compiled", as the training declares; an objective that has no such choice ignores it.
            dim: number of codes.
            device: where the loss is computed.
            generator: source of initial values, on the CPU.
        """

    def forward(self, encode: Callable[[Tensor], Tensor], batch: Batch, progress: float) -> Loss:
        """The loss.

        Args:
            encode: observations to codes, (batch, ...) to (batch, dim).
            batch: data of this step.
            progress: fraction of the steps that are done, in [0, 1).
        """
        raise NotImplementedError
