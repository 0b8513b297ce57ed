"""InfoNCE, forward and backward: ours, the naive expression and torch.cdist."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from demix.bench import naive
from demix.bench.measure import Call, medians, peaks
from demix.objectives.common.lp import lp_backend
from demix.objectives.dot_infonce import dot_infonce
from demix.objectives.lp_infonce import lp_infonce
from demix.support.processes import available_memory_mb

Contender = Callable[[str, Tensor, Tensor], Tensor]
"""The exponent or "dot", anchors and positives to the loss of every pair."""

OURS = ("eager", "compiled")
WARM_UP_SECONDS = 1.0
DIM = 10
SCALE = 4.0
"""Codes fill the box [0, 4]^10, or a sphere of radius 1: what trained encoders of the tables have."""


def rows(
    exponents: Sequence[str],
    batches: Sequence[int],
    device: torch.device,
    threads: int,
    repeats: int,
    warm_up: float,
) -> Iterator[dict[str, Any]]:
    """A row for each exponent, batch and backend of ours; see `medians` for `warm_up`."""
    torch.set_num_threads(threads)
    for p in exponents:
        contenders = contenders_of(p, device)
        memory = {name: _peaks(name, loss, p, batches, device, threads) for name, loss in contenders.items()}
        for batch in batches:
            fitting = {name: loss for name, loss in contenders.items() if fits(name, p, batch)}
            calls = {name: step_of(loss, p, batch, str(device)) for name, loss in fitting.items()}
            times = medians(calls, device, repeats, warm_up)
            for kernel in [name for name in contenders if name in OURS]:
                ours, other = times[kernel], times.get("naive")
                ours_mb, naive_mb = (memory[name].get(batch) for name in (kernel, "naive"))
                yield {
                    "what": "loss",
                    "p": p,
                    "batch": batch,
                    "backend": backend_of(p, kernel, device),
                    "ours_ms": ours,
                    "naive_ms": other,
                    "cdist_ms": times.get("cdist"),
                    "time_ratio": other / ours if other else None,
                    "ours_mb": ours_mb,
                    "naive_mb": naive_mb,
                    "memory_ratio": ours_mb / naive_mb if ours_mb is not None and naive_mb else None,
                    "device": device.type,
                    "threads": threads,
                }


def _peaks(
    name: str, contender: Contender, p: str, batches: Sequence[int], device: torch.device, threads: int
) -> dict[int, float | None]:
    """Peak memory of a contender by batch, MiB."""
    fitting = [batch for batch in batches if fits(name, p, batch)]
    arguments = [(p, batch, str(device)) for batch in fitting]
    small = partial(_call, contender, p, 64, str(device))
    return dict(zip(fitting, peaks(partial(step_of, contender), arguments, small, device, threads), strict=True))


def contenders_of(p: str, device: torch.device) -> dict[str, Contender]:
    """The losses that are compared for an exponent, by name: ours by backend, and the others."""
    contenders: dict[str, Contender] = {"eager": partial(ours, "eager")}
    if backend_of(p, "compiled", device) != "eager":
        contenders["compiled"] = partial(ours, "compiled")
    contenders["naive"] = partial(naive.naive_infonce, similarities=naive.by_matrix_product)
    if p != "dot":
        contenders["cdist"] = partial(naive.naive_infonce, similarities=naive.by_cdist)
    return contenders


def backend_of(p: str, kernel: str, device: torch.device) -> str:
    """What computes our loss where `kernel` is declared."""
    return "eager" if p == "dot" else lp_backend(kernel, int(p), power=True, dim=DIM, device=device)


def ours(kernel: str, p: str, anchor: Tensor, positive: Tensor) -> Tensor:
    """Our loss of every pair."""
    return dot_infonce(anchor, positive) if p == "dot" else lp_infonce(anchor, positive, exponent=int(p), kernel=kernel)


def step_of(contender: Contender, p: str, batch: int, device: str) -> Call:
    """A call that computes the mean loss of a batch of pairs and its gradients to both samples."""
    generator = torch.Generator().manual_seed(0)
    anchor = SCALE * torch.rand(batch, DIM, generator=generator)
    positive = anchor + 0.05 * SCALE * torch.randn(batch, DIM, generator=generator)
    if p == "dot":
        anchor, positive = (torch.nn.functional.normalize(x - SCALE / 2, dim=-1) for x in (anchor, positive))
    inputs = [x.to(device).requires_grad_() for x in (anchor, positive)]

    def call() -> None:
        torch.autograd.grad(contender(p, *inputs).mean(), inputs)

    return call


def _call(contender: Contender, p: str, batch: int, device: str) -> None:
    """One such call; a function of the module, so that another process can make it."""
    step_of(contender, p, batch, device)()


def fits(contender: str, p: str, batch: int) -> bool:
    """There is memory for the contender: the naive expression keeps several tensors of (batch, batch, dim)."""
    tensors = batch * batch * 4 * (5 * DIM if contender == "naive" and p in ("1", "3") else 6) / (1 << 20)
    return contender in OURS or tensors < available_memory_mb()
