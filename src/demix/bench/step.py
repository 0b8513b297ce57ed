"""A whole training step: ours, and one from the naive parts."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, pairwise
from typing import Any

import torch
from torch import Tensor, nn

from demix.bench import naive
from demix.bench.loss import OURS, backend_of
from demix.bench.measure import Call, medians_apart
from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.support.building import build
from demix.support.errors import DemixError
from demix.training.memory import keep_freed_memory
from demix.training.trainee import Trainee

WARM_UP_SECONDS = 3.0
WIDTHS = (10, 100, 500, 500, 500, 500, 100, 10)
BOX = {"space": "box", "marginal": "uniform"}
SMALL_PROBLEMS: dict[str, dict[str, Any]] = {
    "dot": {"space": "sphere", "marginal": "uniform", "conditional": {"kind": "vmf", "concentration": 10}},
    "1": BOX | {"conditional": {"kind": "laplace", "scale": 0.05}},
    "2": BOX | {"conditional": {"kind": "normal", "std": 0.05}},
    "3": BOX | {"conditional": {"kind": "generalized_normal", "exponent": 3, "scale": 0.05}},
}


def rows(
    exponents: Sequence[str],
    batches: Sequence[int],
    device: torch.device,
    threads: int,
    repeats: int,
    warm_up: float,
) -> Iterator[dict[str, Any]]:
    """A row for each exponent, batch and backend of ours; see `medians` for `warm_up`."""
    for p in exponents:
        for batch in batches:
            backends = {kernel: backend_of(p, kernel, device) for kernel in OURS}
            if backends["compiled"] == "eager":
                del backends["compiled"]
            makers: dict[str, Callable[[], Call]] = {
                kernel: partial(our_step, p, batch, kernel, device, threads) for kernel in backends
            }
            makers["naive"] = partial(naive_step, p, batch, device, threads)
            times = medians_apart(makers, device, repeats, warm_up)
            for kernel, backend in backends.items():
                yield {
                    "what": "step",
                    "p": p,
                    "batch": batch,
                    "backend": backend,
                    "ours_ms": times[kernel],
                    "naive_ms": times["naive"],
                    "time_ratio": times["naive"] / times[kernel],
                    "steps_per_second": 1e3 / times[kernel],
                    "device": device.type,
                    "threads": threads,
                }


def run_spec(p: str, batch: int, kernel: str) -> RunSpec:
    """A run with the published network and recipe."""
    objective = "dot_infonce" if p == "dot" else {"kind": "lp_infonce", "exponent": int(p)}
    data = {
        "problem": SMALL_PROBLEMS[p] | {"generator": {"candidates": 100}},
        "model": {"output": "sphere" if p == "dot" else "unbounded", "objective": objective},
        "training": {"batch_size": batch, "kernel": kernel},
    }
    return parse(RunSpec, data, f"p = {p}")


def trainee(p: str, batch: int, kernel: str, device: torch.device) -> Trainee:
    """Such a run, ready to train."""
    spec = run_spec(p, batch, kernel)
    return Trainee(spec, 0, build(spec.problem, seed=0, device=device), device)


def our_step(p: str, batch: int, kernel: str, device: torch.device, threads: int) -> Call:
    """A step as a training job makes it."""
    torch.set_num_threads(threads)
    keep_freed_memory()
    one, number = trainee(p, batch, kernel, device), count()
    return lambda: one.step(next(number))


def naive_step(p: str, batch: int, device: torch.device, threads: int) -> Call:
    """A step from torch's own parts and the loss written naively: p = 1, 2, 3 by broadcast, dot by a matrix product.

    Draws its data as ours does, so the two differ by less than they would with the samplers of the authors' code.
    """
    torch.set_num_threads(threads)
    spec = run_spec(p, batch, "eager")
    problem = build(spec.problem, seed=0, device=device)
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(WIDTHS):
        layers += [nn.Linear(inputs, outputs), nn.LeakyReLU(0.01)]
    network = nn.Sequential(*layers[:-1]).to(device)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-4)

    def encode(observations: Tensor) -> Tensor:
        codes = network(observations)
        return codes / codes.norm(dim=-1, keepdim=True) if p == "dot" else codes

    def call() -> None:
        drawn = problem.batch(batch)
        loss = naive.naive_infonce(p, encode(drawn.anchor), encode(drawn.positive), naive.by_broadcast).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if not torch.isfinite(loss).item():
            raise DemixError(f"the naive step with p = {p} diverged")

    return call
