"""The functions of `demix.objectives.kernels.elementwise`, compiled: one loop over a tile, not one for every operation.

Which of them a loss uses is decided before its first step, by what is declared and what there is: never by timing.
Loading the compiler and compiling take half a minute or so, which only long runs with large batches earn back.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from shutil import which
from types import FunctionType
from typing import Any

import torch
from torch import Tensor

from demix.objectives.kernels.elementwise import Kernels, eager_kernels


def lp_kernels(choice: str, exponent: float, dim: int, device: torch.device | str) -> Kernels:
    """The functions of an exponent for points of `dim` coordinates on a device.

    Args:
        choice: "eager", or "compiled" for compiled ones where the device's compiler is there and works. Where it is
            not, a line on standard error says so and the eager ones are returned.

    Raises:
        ValueError: an unknown choice.
    """
    if choice not in ("eager", "compiled"):
        raise ValueError(f"kernel is eager or compiled, got {choice!r}")
    return eager_kernels(exponent) if choice == "eager" else _compiled(float(exponent), dim, torch.device(device).type)


@cache
def _compiled(exponent: float, dim: int, device: str) -> Kernels:
    compiler = compiler_of(device)
    eager = eager_kernels(exponent)
    if compiler is None:
        return _eager_instead(exponent, f"there is no compiler for {device} here")
    # code objects of their own: torch keeps only a few compiled versions of one
    power_sum = torch.compile(_own(_power_sum, exponent, dim, device), dynamic=True, fullgraph=True)
    weighted_slopes = torch.compile(_own(_weighted_slopes, exponent, dim, device), dynamic=True, fullgraph=True)
    kernels = Kernels(
        name=f"compiled with {compiler}",
        power_sum=_plain(lambda *tensors: power_sum(*tensors, exponent), eager.power_sum),
        weighted_slopes=_plain(lambda *tensors: weighted_slopes(*tensors, exponent), eager.weighted_slopes),
        cpu_tile=(512, 512),
    )
    try:
        query, key = (torch.zeros(dim, count, device=device) for count in (48, 80))
        kernels.weighted_slopes(query, key, kernels.power_sum(query, key))
    except Exception as error:  # whatever a compiler can fail with; the loss does not need it
        return _eager_instead(exponent, f"{compiler} does not work ({_first_line(error)})")
    return kernels


def compiler_of(device: str) -> str | None:
    """Name and version of the compiler that torch would use for a kind of device, None if there is none."""
    if device != "cpu":
        if find_spec("triton") is None:
            return None
        import triton

        return f"triton {triton.__version__}"
    program = os.environ.get("CXX", "clang++" if sys.platform == "darwin" else "g++")
    if which(program) is None:
        return None
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.partition("\n")[0].strip()


def _eager_instead(exponent: float, reason: str) -> Kernels:
    print(f"kernel compiled: {reason}; the loss runs eagerly, which is slower", file=sys.stderr, flush=True)
    return eager_kernels(exponent)


def _first_line(error: Exception) -> str:
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _plain(function: Callable[..., Any], eager: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled function that is always called in the same way: torch would compile it once more for a tensor with
    gaps in memory, for one in a graph of gradients, or for a single point, which the eager function takes."""

    def call(query: Tensor, key: Tensor, *weights: Tensor) -> Any:
        if min(query.shape[1], key.shape[1]) == 1:
            return eager(query, key, *weights)
        with torch.no_grad():
            return function(*(tensor.detach().contiguous() for tensor in (query, key, *weights)))

    return call


def _own(function: Any, *name: Any) -> FunctionType:
    """A function with a code object of its own."""
    code = function.__code__.replace(co_name="_".join(map(str, (function.__name__, *name))))
    return FunctionType(code, function.__globals__)


def _power_sum(query: Tensor, key: Tensor, exponent: float) -> Tensor:
    total = query.new_zeros(())
    for k in range(query.shape[0]):
        total = total + _power((query[k, :, None] - key[k]).abs(), exponent)
    return total


def _weighted_slopes(query: Tensor, key: Tensor, weights: Tensor, exponent: float) -> tuple[Tensor, Tensor]:
    slopes = [_slope(query[k, :, None] - key[k], exponent, weights) for k in range(query.shape[0])]
    return torch.stack([slope.sum(1) for slope in slopes]), torch.stack([slope.sum(0) for slope in slopes])


def _power(size: Tensor, exponent: float) -> Tensor:
    if exponent in (1, 2, 3):
        return size if exponent == 1 else size * size if exponent == 2 else size * size * size
    return size.pow(exponent)


def _slope(difference: Tensor, exponent: float, weights: Tensor) -> Tensor:
    """weights * sign(difference) * |difference|^(exponent - 1), 0 where the difference is 0."""
    if exponent == 2:
        return weights * difference
    if exponent == 3:
        return weights * difference * difference.abs()
    if exponent != 1:
        weights = weights * difference.abs().pow(exponent - 1)
    return torch.where(difference > 0, weights, torch.where(difference < 0, -weights, 0.0))
