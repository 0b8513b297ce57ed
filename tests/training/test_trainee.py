"""A run in training: its steps against a loop written out from torch's own parts, its codes, its waits."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from demix.objectives.kernels import streaming
from demix.problems.common.batch import Batch
from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.support.building import build
from demix.training.history import History
from demix.training.trainee import Trainee
from demix.training.update import Update

STEPS, BATCH = 20, 512


BOX = {"space": "box", "marginal": "uniform"}


RUNS = {
    "sphere": (
        {"space": "sphere", "marginal": "uniform", "conditional": {"kind": "normal", "std": 0.05}},
        {"output": "sphere", "objective": "dot_infonce"},
    ),
    "box-1": (
        BOX | {"conditional": {"kind": "laplace", "scale": 0.05}},
        {"output": "box", "objective": {"kind": "lp_infonce", "exponent": 1}},
    ),
    "unbounded-3": (
        BOX | {"conditional": {"kind": "generalized_normal", "exponent": 3, "scale": 0.05}},
        {"output": "unbounded", "objective": {"kind": "lp_infonce", "exponent": 3}},
    ),
    "supervised": (BOX, {"output": "box", "objective": "mean_squared_error"}),
}


def run_spec(name):
    problem, model = RUNS[name]
    data = {
        "problem": {"dim": 10, "generator": {"candidates": 50}, **problem},
        "model": {"encoder": {"kind": "mlp", "hidden": [5, 10, 5]}, **model},
        "training": {"steps": STEPS, "batch_size": BATCH, "learning_rate": 1e-3},
    }
    return parse(RunSpec, data, name)


class InDouble:
    """A problem whose batches are cast to double precision after they were drawn."""

    def __init__(self, problem):
        self.problem = problem

    def batch(self, size):
        drawn = self.problem.batch(size)
        positive = None if drawn.positive is None else drawn.positive.double()
        return Batch(drawn.anchor.double(), positive, drawn.factors.double())


def naive_loss(name, h, partner, factors):
    """The loss of a batch, with all pairs of the batch in one tensor."""
    if name == "supervised":
        return nn.functional.mse_loss(h, factors)
    if name == "sphere":
        positive = (h * partner).sum(-1)
        negatives = (h[:, None, :] * h[None, :, :]).sum(-1)
    else:
        exponent = int(name[-1])
        positive = -((h - partner).abs() ** exponent).sum(-1)
        negatives = -((h[:, None, :] - h[None, :, :]).abs() ** exponent).sum(-1)
    return (torch.cat([positive[:, None], negatives], dim=1).logsumexp(1) - positive).mean()


def naive_losses(name, spec, weights):
    """Losses of the steps of a plain loop over the same data, from the same initial weights."""
    problem = build(spec.problem, seed=0)
    tensors = iter(weights)
    layers = []
    for width_in, width_out in [(10, 50), (50, 100), (100, 50), (50, 10)]:
        linear = nn.Linear(width_in, width_out, dtype=torch.float64)
        linear.weight.data, linear.bias.data = next(tensors), next(tensors)
        layers += [linear, nn.LeakyReLU(0.01)]
    network = nn.Sequential(*layers[:-1])
    bound = nn.Parameter(torch.ones(10, dtype=torch.float64))
    boxed = spec.model.output.kind == "box"

    def f(x):
        y = network(x)
        if boxed:
            return torch.sigmoid(y) * bound
        return y / y.norm(dim=-1, keepdim=True) if spec.model.output.kind == "sphere" else y

    optimizer = torch.optim.Adam([*network.parameters(), *([bound] if boxed else [])], lr=1e-3)
    losses = []
    for _ in range(STEPS):
        z = problem.latents(BATCH, problem.stream)
        partner = None
        if problem.conditional is not None:
            partner = f(problem.observe(problem.partners(z, problem.stream)).double())
        loss = naive_loss(name, f(problem.observe(z).double()), partner, z.double())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@pytest.mark.usefixtures("untouched_global_randomness")
@pytest.mark.parametrize("name", RUNS)
def test_training_is_the_loop_written_out(name):
    spec = run_spec(name)
    trainee = Trainee(spec, 0, InDouble(build(spec.problem, seed=0)))
    trainee.encoder.double()
    trainee.update = Update(spec.training, trainee.encoder)  # moments in double precision
    weights = [p.detach().clone() for layer in trainee.encoder[0].layers for p in (layer.weight, layer.bias)]
    losses = [trainee.step(step).total.item() for step in range(STEPS)]
    with torch.random.fork_rng():
        expected = naive_losses(name, spec, weights)
    assert losses == pytest.approx(expected, rel=1e-9)
    assert losses[-1] < losses[0]


def test_the_same_seed_trains_to_the_same_bits_and_another_does_not():
    spec = run_spec("box-1")

    def trained(seed):
        trainee = Trainee(spec, seed, build(spec.problem, seed=seed))
        losses = [trainee.step(step).total.item() for step in range(3)]
        return losses, trainee.codes(torch.ones(1, 10)).tolist()

    assert trained(0) == trained(0)
    assert trained(0) != trained(1)


def test_codes_do_not_depend_on_the_chunk():
    trainee = Trainee(run_spec("sphere"), 0, build(run_spec("sphere").problem, seed=0))
    observations = torch.randn(101, 10, generator=torch.Generator().manual_seed(0))
    whole, parts = trainee.codes(observations), trainee.codes(observations, chunk=7)
    assert not whole.requires_grad
    torch.testing.assert_close(whole, parts)


class Waits(TorchDispatchMode):
    """Counts operations that wait for the device: numbers for Python, and results whose shape depends on values."""

    NAMES = ("_local_scalar_dense", "nonzero", "masked_select", "is_nonzero", "equal", "unique")
    count = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function.__name__.split(".")[0]
        indices = args[1] if name in ("index", "index_put", "index_put_") else ()
        by_mask = any(index is not None and index.dtype == torch.bool for index in indices)
        self.count += name in self.NAMES or by_mask
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize("name", ["sphere", "box-1", "supervised"])
def test_a_step_does_not_wait_for_the_device(name, monkeypatch):
    """Samplers by rejection do; these three draw without. As on a GPU, where losses do not look how large codes are."""
    on_gpu = SimpleNamespace(query=SimpleNamespace(is_cuda=True))
    all_are_small = streaming._Pairs._all_are_small
    monkeypatch.setattr(streaming._Pairs, "_all_are_small", lambda pairs: all_are_small(on_gpu))
    trainee, history = Trainee(run_spec(name), 0, build(run_spec(name).problem, seed=0)), History()
    with Waits() as waits:
        for step in range(3):
            history.add(trainee.step(step))
    assert waits.count == 0
    with Waits() as waits:
        history.row(3)
    assert waits.count > 0


def test_rejection_waits_are_seen():
    problem = build(run_spec("unbounded-3").problem, seed=0)
    with Waits() as waits:
        problem.batch(64)
    assert waits.count > 0
