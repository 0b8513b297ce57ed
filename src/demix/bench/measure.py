"""Time and memory of calls: in rounds, and above what was there before."""

import ctypes
import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

import torch

from demix.support.errors import DemixError

CLEAR_REFS, STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")
MIB = float(1 << 20)

Call = Callable[[], object]

_here: dict[str, Call] = {}
"""In the process of a contender: its call."""


def medians(calls: Mapping[str, Call], device: torch.device, repeats: int, warm_up: float = 0.0) -> dict[str, float]:
    """Milliseconds that each call takes, the median over `repeats` rounds.

    Args:
        calls: the contenders; all of them are measured in every round.
        device: what they compute on.
        repeats: rounds.
        warm_up: seconds, at the least, of calls that do not count before those that do, one call in any case: what the
            contender before has left behind, in caches and in the memory of the process, is not this one's doing, and
            the system goes on clearing up for a while after gigabytes. Calls count for a third as long, one in any
            case.
    """
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            times[name] += _measured(call, device, warm_up)
    return {name: statistics.median(values) for name, values in times.items()}


def _measured(call: Call, device: torch.device, warm_up: float) -> list[float]:
    """Milliseconds of the calls of a round that count."""
    _calls(call, device, warm_up)
    return _calls(call, device, warm_up / 3)


def _calls(call: Call, device: torch.device, seconds: float) -> list[float]:
    """Milliseconds of each of the calls that fill that time, one at the least."""
    times: list[float] = []
    while not times or sum(times) < 1e3 * seconds:
        start = time.perf_counter()
        call()
        _wait(device)
        times.append(1e3 * (time.perf_counter() - start))
    return times


def medians_apart(
    makers: Mapping[str, Callable[[], Call]], device: torch.device, repeats: int, warm_up: float
) -> dict[str, float]:
    """As `medians`, each contender in a process of its own, which has its own way with memory.

    Args:
        makers: what makes the call of a contender, in its process; functions of modules, with their arguments bound.
        device, repeats, warm_up: see `medians`.

    Raises:
        DemixError: a process did not survive.
    """
    with ExitStack() as stack:
        context = get_context("spawn")
        processes = {
            name: stack.enter_context(ProcessPoolExecutor(1, context, initializer=_prepare, initargs=(maker,)))
            for name, maker in makers.items()
        }
        rounds = [
            {name: _measured_in(process, name, device, warm_up) for name, process in processes.items()}
            for _ in range(repeats)
        ]
    return {name: statistics.median(chain.from_iterable(times[name] for times in rounds)) for name in makers}


def _measured_in(process: ProcessPoolExecutor, name: str, device: torch.device, warm_up: float) -> list[float]:
    try:
        return process.submit(_measured_here, device, warm_up).result()
    except BrokenProcessPool:
        raise DemixError(f"the process of {name} ended early: the system may be out of memory") from None


def _prepare(maker: Callable[[], Call]) -> None:
    """In the process of a contender: have its call ready."""
    _here["call"] = maker()


def _measured_here(device: torch.device, warm_up: float) -> list[float]:
    return _measured(_here["call"], device, warm_up)


def peaks(
    make: Callable[..., Call], arguments: Sequence[tuple], first: Call, device: torch.device, threads: int
) -> list[float | None]:
    """MiB that `make(*values)()` takes at its peak above what was there before, for each of the arguments.

    On a CPU that is the system's count of resident memory in a process of its own, after `first` has loaded
    whatever is loaded once. None where the system keeps no such count, and from where on a process did not survive.
    """
    if device.type == "cuda":
        first()
        return [_peak_on_cuda(make(*values), device) for values in arguments]
    found: list[float | None] = []
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        try:
            found.extend(executor.submit(_peak_on_cpu, make, values, first, threads).result() for values in arguments)
        except BrokenProcessPool:  # the system has ended it: no memory is left
            found += [None] * (len(arguments) - len(found))
    return found


def _peak_on_cuda(call: Call, device: torch.device) -> float:
    gc.collect()
    _wait(device)
    before = torch.cuda.memory_allocated(device)
    torch.cuda.reset_peak_memory_stats(device)
    call()
    _wait(device)
    return (torch.cuda.max_memory_allocated(device) - before) / MIB


def _peak_on_cpu(make: Callable[..., Call], arguments: tuple, first: Call, threads: int) -> float | None:
    torch.set_num_threads(threads)
    try:
        CLEAR_REFS.write_text("5")
    except OSError:
        return None
    first()
    call = make(*arguments)
    gc.collect()
    _give_back_free_memory()
    CLEAR_REFS.write_text("5")  # the peak starts anew from what is resident now
    before = _resident("VmRSS")
    call()
    return (_resident("VmHWM") - before) / 1024


def _give_back_free_memory() -> None:
    """What was freed before must not be taken again without being counted."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _resident(field: str) -> float:
    """KiB, from the system's own count."""
    return next(float(line.split()[1]) for line in STATUS.read_text().splitlines() if line.startswith(field))


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
