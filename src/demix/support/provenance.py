"""Where a result comes from: code, device, time and memory. The only writer and reader of provenance.json."""

import platform
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from demix.support.checkout import PACKAGE
from demix.support.errors import DataError
from demix.support.files import read_json, write_json

FILE = "provenance.json"


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


class DeviceRecord(BaseModel):
    """What computed a result.

    Args:
        type, name: kind of the device, and its model.
        torch_threads: threads of torch on the CPU.
        torch_build, cuda: torch's version as it was built, and that of CUDA.
        peak_memory_mb: of a GPU, in MiB.
    """

    model_config = ConfigDict(frozen=True)
    type: str
    name: str
    torch_threads: int | None = None
    torch_build: str | None = None
    cuda: str | None = None
    peak_memory_mb: float | None = None


class DataOrigin(BaseModel):
    """Which data a result was made of.

    Args:
        kind, hash: of the data, as its card has them.
        of_seed: every seed has data of its own, which the spec decides.
    """

    model_config = ConfigDict(frozen=True)
    kind: str
    hash: str
    of_seed: bool = False


class Provenance(BaseModel):
    """The record of a result. What an earlier version of demix did not write is open; what else it wrote is not read.

    Args:
        run, seed, key: whose result it is.
        started, finished: when, in UTC.
        commit, versions: of the code.
        device, peak_memory_mb: what computed it, and the largest resident memory of the process, in MiB.
        outcome: "finished" or "diverged".
        bit_exact: all of it was made on one kind of device in one way.
        steps, steps_per_second, resumed_at: of a training.
        wall_time_s: of the whole job.
        backend: what computed the loss.
        data: which data it was made of.
        facts: numbers that the problem tells of itself, by name.
        sets: key of every evaluation set that codes.npz holds, by name.
        spec: the resolved spec, as plain data.
    """

    model_config = ConfigDict(frozen=True)
    run: str = ""
    seed: int
    key: str = ""
    started: str | None = None
    finished: str | None = None
    commit: str | None = None
    versions: dict[str, str] = {}
    device: DeviceRecord
    peak_memory_mb: float | None = None
    outcome: str | None = None
    bit_exact: bool | None = None
    steps: int | None = None
    steps_per_second: float | None = None
    resumed_at: int = 0
    wall_time_s: float | None = None
    backend: str | None = None
    data: DataOrigin | None = None
    facts: dict[str, float] = {}
    sets: dict[str, str] = {}
    spec: dict[str, Any] = {}

    @classmethod
    def found(cls, path: Path) -> "Provenance | None":
        """The record in a file; None if it is missing or damaged."""
        try:
            return cls.read(path)
        except DataError:
            return None

    @classmethod
    def of_job(cls, run: str, seed: int, key: str, device: Any, started: "Start", **result: Any) -> "Provenance":
        """The record of a job that ends now: identity, code, versions, device, time and memory, and its result.

        Args:
            run, seed, key: whose result it is.
            device: torch device that computed it.
            started: made when the job began.
            result: the other fields.
        """
        return cls(
            run=run,
            seed=seed,
            key=key,
            started=started.time,
            finished=now(),
            commit=started.commit,
            versions=versions("demix", "torch", "numpy"),
            device=device_record(device),
            peak_memory_mb=peak_memory_mb(),
            wall_time_s=started.seconds,
            **result,
        )

    @classmethod
    def without_training(cls, run: str, seed: int, key: str, started: "Start", **result: Any) -> "Provenance":
        """The record of a job that ends now, on the CPU, and has trained nothing. Arguments as of `of_job`."""
        import torch

        result |= {"outcome": "finished", "bit_exact": True, "steps": 0, "steps_per_second": 0.0}
        return cls.of_job(run, seed, key, torch.device("cpu"), started, **result)

    @classmethod
    def read(cls, path: Path) -> "Provenance":
        """Read a record.

        Raises:
            DataError: the file is missing, damaged, or no record of a result.
        """
        content = read_json(path)
        try:
            return cls.model_validate(content)
        except ValidationError as error:
            what = error.errors()[0]
            place = ".".join(map(str, what["loc"])) or "record"
            raise DataError(
                f"{path}: no record of a result ({place}: {what['msg'].lower()}); delete it to have it made again"
            ) from None

    def write(self, path: Path) -> None:
        """Write the record, whole or not at all."""
        write_json(path, self.model_dump())


class Start:
    """The beginning of a job: the time, and the commit of the code that runs, whatever is committed meanwhile."""

    def __init__(self) -> None:
        self.time, self.commit, self._clock = now(), commit(), time.monotonic()

    @property
    def seconds(self) -> float:
        """How long ago that was."""
        return time.monotonic() - self._clock


def now() -> str:
    """The time, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def peak_memory_mb() -> float:
    """Largest resident memory of this process so far, in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def device_record(device: Any) -> DeviceRecord:
    """A torch device, torch's build (with the version of CUDA, if any), peak memory on a GPU."""
    import torch

    on_gpu = device.type == "cuda"
    return DeviceRecord(
        type=device.type,
        name=torch.cuda.get_device_name(device) if on_gpu else processor(),
        torch_threads=torch.get_num_threads(),
        torch_build=torch.__version__,
        cuda=torch.version.cuda,
        peak_memory_mb=torch.cuda.max_memory_allocated(device) / (1 << 20) if on_gpu else None,
    )


@cache
def processor() -> str:
    """The processor's model name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
