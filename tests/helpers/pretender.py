"""A run without a model, for tests of what surrounds one."""

from types import SimpleNamespace

import torch

from demix.objectives.common.base import Loss
from demix.problems.common.evaluation import EvaluationSet


class Pretender:
    """A run whose loss is its step number, or NaN from some step on."""

    def __init__(self, steps, nan_from=None):
        self.steps, self.nan_from = steps, nan_from
        self.problem, self.update = self, SimpleNamespace(rate=lambda step: 0.5)

    def evaluation_sets(self):
        z = torch.linspace(0, 1, 20)[:, None] ** torch.arange(1, 3)
        return {"marginal": EvaluationSet(z, {"factors": z.numpy()})}

    def codes(self, observations):
        return 2 * observations

    def step(self, step):
        value = float("nan") if self.nan_from is not None and step >= self.nan_from else float(step)
        return Loss(torch.tensor(value), {"part": torch.tensor(1.0)})
