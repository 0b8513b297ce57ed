"""Where a result comes from: commit, versions, device, time and memory."""

import platform
import resource
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from demix.support.checkout import PACKAGE


@cache
def commit() -> str:
    """The checkout's commit, "+changes" behind it if the package differs from it; "unknown" outside a checkout.

    Remembered from the first call on, which belongs at the start of a job.
    """
    folder = PACKAGE

    def git(*arguments: str) -> str:
        result = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True)
        return result.stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", str(folder))
        return git("rev-parse", "HEAD") + ("+changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def versions(*packages: str) -> dict[str, str]:
    """Installed versions, without importing the packages."""
    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "missing"
    return found


def record(run: str, seed: int, key: str, device: Any, started: str) -> dict[str, Any]:
    """The part of a provenance record that every result has: identity, code, versions, device, memory.

    Args:
        run, seed, key: whose result it is.
        device: torch device that computed it.
        started: what `now` said at the start.
    """
    return {
        "run": run,
        "seed": seed,
        "key": key,
        "started": started,
        "finished": now(),
        "commit": commit(),
        "versions": versions("demix", "torch", "numpy"),
        "device": device_record(device),
        "peak_memory_mb": peak_memory_mb(),
    }


def now() -> str:
    """The time, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def peak_memory_mb() -> float:
    """Largest resident memory of this process so far, in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def device_record(device: Any) -> dict[str, Any]:
    """Name and kind of a torch device, torch's build (with the version of CUDA, if any), peak memory on a GPU."""
    import torch

    record: dict[str, Any] = {"type": device.type, "torch_threads": torch.get_num_threads()}
    record |= {"torch_build": torch.__version__, "cuda": torch.version.cuda}
    if device.type == "cuda":
        return record | {
            "name": torch.cuda.get_device_name(device),
            "peak_memory_mb": torch.cuda.max_memory_allocated(device) / (1 << 20),
        }
    return record | {"name": processor()}


@cache
def processor() -> str:
    """The processor's model name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
