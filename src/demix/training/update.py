"""One update of all parameters: gradients, learning-rate schedule, and an optimizer for each learning rate."""

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from demix.specs.training import TrainingSpec
from demix.support.building import build
from demix.training.optimizers.common.base import Optimizer


class Update:
    """Optimizers with a learning-rate schedule, one for each factor in `rate_factors`.

    Args:
        training: the schedule: steps, peak of the learning rate, linear rise from 0 over the warm-up, then constant or
            a cosine to 0; multiples of the rate for parameters whose dotted name ends so, such as "bound"; optimizer.
        module: holds every parameter to train.

    Raises:
        ValueError: a rate factor names no parameter.
    """

    def __init__(self, training: TrainingSpec, module: nn.Module):
        self.training = training
        self.groups: list[Optimizer] = [
            build(training.optimizer, factor=factor, parameters=parameters)
            for factor, parameters in _parameter_groups(module, training.rate_factors)
        ]

    def rate(self, step: int) -> float:
        """Learning rate of a step, counted from 0."""
        peak, steps, warmup = self.training.learning_rate, self.training.steps, self.training.warmup_steps
        rise = min(1.0, (step + 1) / warmup) if warmup else 1.0
        if self.training.schedule == "constant":
            return peak * rise
        done = max(0, step - warmup) / max(1, steps - warmup)
        return peak * rise * (1 + math.cos(math.pi * done)) / 2

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
