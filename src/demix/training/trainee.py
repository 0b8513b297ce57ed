"""Everything that decides the result of a run, put together from its spec: data, encoder, objective, update."""

from typing import Any

import torch
from torch import Tensor, nn

from demix.objectives.common.base import Loss, Surroundings
from demix.problems.common.observations import Stored
from demix.specs.run import RunSpec
from demix.support.building import build
from demix.support.randomness import torch_generator
from demix.training.batch_norm import frozen_averages
from demix.training.precision import EncoderPrecision
from demix.training.update import Update


class Trainee:
    """A run in training.

    Args:
        spec: a run with a model.
        seed: of the initial weights; the problem has its own streams from the same seed.
        problem: what `build(spec.problem, ...)` returned.
        device: where the model trains; the problem draws its batches there too.
    """

    def __init__(self, spec: RunSpec, seed: int, problem: Any, device: torch.device | str = "cpu"):
        assert spec.model is not None, "raw observations need no training"
        assert spec.training is not None
        dim, shape = spec.codes, spec.problem.observation_shape
        encoder = build(
            spec.model.encoder,
            observation_shape=shape,
            dim=dim * spec.model.output.numbers_a_code,
            generator=torch_generator(seed, "initialization"),
        )
        self.device = torch.device(device)
        self.problem = problem
        self.batch_size, self.steps = spec.training.batch_size, spec.training.steps
        self.encoder = nn.Sequential(encoder, build(spec.model.output, dim=dim)).to(device)
        self.objective = build(spec.model.objective)
        self.objective.set_up(Surroundings(spec.training.kernel, shape, dim, self.device, seed))
        self.objective.to(device)
        self.update = Update(spec.training, nn.ModuleDict({"encoder": self.encoder, "objective": self.objective}))
        self.precision = EncoderPrecision(spec.training.precision, self.device)

    @property
    def backend(self) -> str:
        """What computes the loss, such as "eager": decided when the run was put together, by what there was."""
        return self.objective.backend

    def step(self, step: int) -> Loss:
        """Train on a fresh batch; steps count from 0."""
        batch = self.problem.batch(self.batch_size)
        with self.precision.step():
            loss = self.objective(self.precision.encode(self.encoder), batch, step / self.steps)
            self.update.apply(loss.total, step)
        return loss

    def state(self) -> dict[str, Any]:
        """All that the next steps depend on: weights, moments, position in the data stream."""
        return {
            "encoder": self.encoder.state_dict(),
            "objective": self.objective.state_dict(),
            "update": self.update.state(),
            "data": self.problem.state(),
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from what `state` returned; the next step is the one that would have followed."""
        self.encoder.load_state_dict(state["encoder"])
        self.objective.load_state_dict(state["objective"])
        self.update.load_state(state["update"])
        self.problem.load_state(state["data"])

    @torch.no_grad()
    def codes(self, observations: Tensor | Stored, chunk: int = 4096) -> Tensor:
        """Codes (samples, dim) of observations on the CPU, `chunk` samples at a time on the device, stored ones in
        batches of their own."""
        if isinstance(observations, Stored):
            parts, running_averages = observations.batches(), observations.running_averages
        else:
            parts, running_averages = iter(observations.split(chunk)), False
        network, output = self.encoder
        to_codes = getattr(output, "codes", output)  # of a posterior the means
        with frozen_averages(self.encoder, running_averages):
            return torch.cat([to_codes(network(part.to(self.device))).cpu() for part in parts])
