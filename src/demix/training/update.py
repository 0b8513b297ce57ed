"""One optimiser step: the recipe that decides, with data and loss, where the weights go."""

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn


class Update:
    """Adam with a learning-rate schedule. Arguments are the fields of the spec, and the module to train.

    Args:
        steps: length of the schedule.
        batch_size, threads: used by the run, not here.
        learning_rate: peak of the schedule.
        schedule: "constant", or "cosine" to 0 over the steps after the warm-up.
        warmup_steps: linear rise from 0.
        rate_factors: multiples of the learning rate for parameters whose dotted name ends so, such as "bound".
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
        threads: int,
        module: nn.Module,
    ):
        self.steps, self.learning_rate = steps, learning_rate
        self.schedule, self.warmup_steps = schedule, warmup_steps
        groups = _parameter_groups(module, rate_factors)
        self.factors = [factor for factor, _ in groups]
        self.optimizer = torch.optim.Adam(
            [{"params": parameters} for _, parameters in groups], lr=learning_rate, fused=True
        )

    def rate(self, step: int) -> float:
        """Learning rate of a step, counted from 0."""
        rise = min(1.0, (step + 1) / self.warmup_steps) if self.warmup_steps else 1.0
        if self.schedule == "constant":
            return self.learning_rate * rise
        done = max(0, step - self.warmup_steps) / max(1, self.steps - self.warmup_steps)
        return self.learning_rate * rise * (1 + math.cos(math.pi * done)) / 2

    def apply(self, loss: Tensor, step: int) -> None:
        """Move the parameters down the gradient of the loss."""
        for group, factor in zip(self.optimizer.param_groups, self.factors, strict=True):
            group["lr"] = self.rate(step) * factor
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()


def _parameter_groups(module: nn.Module, factors: Mapping[str, float]) -> list[tuple[float, list[nn.Parameter]]]:
    """Parameters by the factor of their learning rate; those without one have factor 1."""
    groups: dict[float, list[nn.Parameter]] = {1.0: []}
    unused = set(factors)
    for name, parameter in module.named_parameters():
        if not parameter.requires_grad:
            continue
        ending = next((end for end in factors if f".{name}".endswith(f".{end}")), None)
        unused.discard(ending)
        groups.setdefault(factors.get(ending, 1.0), []).append(parameter)
    if unused:
        raise ValueError(f"rate_factors name no parameter of the model: {', '.join(sorted(unused))}")
    return [(factor, parameters) for factor, parameters in groups.items() if parameters]
