"""One optimiser step: the recipe that decides, with data and loss, where the weights go."""

import math
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.optim.adam import adam

from demix.training.eigenbasis import RotatedMoments


class Update:
    """Adam (fused, default betas and epsilon) with a learning-rate schedule.

    Calls the functional form of torch's Adam: the optimiser class imports torch's compiler, which takes as long as
    torch itself, in each of the many short processes of a table.

    Args:
        steps: length of the schedule.
        batch_size, threads, kernel, precision: used by the run, not here.
        learning_rate: peak of the schedule.
        schedule: "constant", or "cosine" to 0 over the steps after the warm-up.
        warmup_steps: linear rise from 0.
        rate_factors: multiples of the learning rate for parameters whose dotted name ends so, such as "bound".
        eigenbasis_steps: steps between two changes of the bases that weight matrices are seen from, see
            `demix.training.eigenbasis`; 0 for Adam on the weights as they are.
        module: holds every parameter to train.

    Raises:
        ValueError: a rate factor names no parameter.
    """

    def __init__(
        self,
        *,
        steps: int,
        batch_size: int,
        learning_rate: float,
        schedule: str,
        warmup_steps: int,
        rate_factors: Mapping[str, float],
        eigenbasis_steps: int,
        threads: int,
        kernel: str,
        precision: str,
        module: nn.Module,
    ):
        self.steps, self.learning_rate = steps, learning_rate
        self.schedule, self.warmup_steps = schedule, warmup_steps
        self.groups: list[Moments | RotatedMoments] = []
        for factor, parameters in _parameter_groups(module, rate_factors):
            matrices = [parameter for parameter in parameters if eigenbasis_steps and parameter.ndim == 2]
            others = [parameter for parameter in parameters if not eigenbasis_steps or parameter.ndim != 2]
            self.groups += [RotatedMoments(factor, matrix, eigenbasis_steps) for matrix in matrices]
            self.groups += [Moments(factor, others)] if others else []

    def rate(self, step: int) -> float:
        """Learning rate of a step, counted from 0."""
        rise = min(1.0, (step + 1) / self.warmup_steps) if self.warmup_steps else 1.0
        if self.schedule == "constant":
            return self.learning_rate * rise
        done = max(0, step - self.warmup_steps) / max(1, self.steps - self.warmup_steps)
        return self.learning_rate * rise * (1 + math.cos(math.pi * done)) / 2

    def apply(self, loss: Tensor, step: int) -> None:
        """Move the parameters down the gradient of the loss."""
        for group in self.groups:
            for parameter in group.parameters:
                parameter.grad = None
        loss.backward()
        for group in self.groups:
            group.step(self.rate(step), step)

    def state(self) -> list[dict[str, list[Tensor]]]:
        """Running moments of every group, for a checkpoint."""
        return [group.tensors() for group in self.groups]

    @torch.no_grad()
    def load_state(self, state: list[dict[str, list[Tensor]]]) -> None:
        """Go on from what `state` returned."""
        for group, saved in zip(self.groups, state, strict=True):
            for name, tensors in group.tensors().items():
                for tensor, value in zip(tensors, saved[name], strict=True):
                    tensor.copy_(value)


class Moments:
    """Parameters of one learning rate, with Adam's running moments.

    Args:
        factor: multiple of the learning rate.
        parameters: what it moves.
    """

    def __init__(self, factor: float, parameters: Sequence[nn.Parameter]):
        self.factor, self.parameters = factor, list[Tensor](parameters)
        self.means = [torch.zeros_like(parameter) for parameter in parameters]
        self.squares = [torch.zeros_like(parameter) for parameter in parameters]
        self.steps = [torch.zeros((), device=parameter.device) for parameter in parameters]

    def tensors(self) -> dict[str, list[Tensor]]:
        """All that the next steps depend on beside the parameters, changed in place."""
        return {"means": self.means, "squares": self.squares, "steps": self.steps}

    @torch.no_grad()
    def step(self, learning_rate: float, step: int) -> None:
        """Step number `step` of Adam down the gradients; a parameter that took no part in the loss stays."""
        moved = [place for place, parameter in enumerate(self.parameters) if parameter.grad is not None]
        parameters, means, squares, steps = (
            [tensors[place] for place in moved] for tensors in (self.parameters, self.means, self.squares, self.steps)
        )
        adam(
            parameters,
            [gradient for parameter in parameters if (gradient := parameter.grad) is not None],
            means,
            squares,
            [],
            steps,
            fused=True,
            amsgrad=False,
            beta1=0.9,
            beta2=0.999,
            lr=learning_rate * self.factor,
            weight_decay=0.0,
            eps=1e-8,
            maximize=False,
        )


def _parameter_groups(module: nn.Module, factors: Mapping[str, float]) -> list[tuple[float, list[nn.Parameter]]]:
    """Parameters by the factor of their learning rate; those without one have factor 1."""
    groups: dict[float, list[nn.Parameter]] = {1.0: []}
    unused = set(factors)
    for name, parameter in module.named_parameters():
        if not parameter.requires_grad:
            continue
        ending = next((end for end in factors if f".{name}".endswith(f".{end}")), None)
        unused -= {ending}
        groups.setdefault(factors[ending] if ending else 1.0, []).append(parameter)
    if unused:
        raise ValueError(f"rate_factors name no parameter of the model: {', '.join(sorted(unused))}")
    return [(factor, parameters) for factor, parameters in groups.items() if parameters]
