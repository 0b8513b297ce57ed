"""GPUs of this machine: whether there are any, and one holder each. Never imports torch."""

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from filelock import BaseFileLock

from demix.support.errors import DemixError
from demix.support.locks import take_lock

SECONDS_BETWEEN_LOOKS = 1.0

_held: list[BaseFileLock] = []  # until the process ends


def gpu_is_there() -> bool:
    """Some kind of GPU that torch may know is visible, as far as one can tell without it."""
    if os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1"):
        return False
    devices = Path("/dev")
    return any(devices.glob("nvidia[0-9]*")) or (devices / "kfd").exists() or (devices / "dxg").exists()


def refuse_without_gpu(scale: str) -> None:
    """One line at the start in place of one from every training.

    Raises:
        DemixError: there is no GPU.
    """
    if not gpu_is_there():
        raise DemixError(
            f"scale {scale} trains on a GPU and there is none on this machine; on a cluster: `snakemake --profile "
            "slurm`; on this CPU all the same, which takes very long: add --config device=cpu"
        )


def hold_one(names: Sequence[str], folder: Path | None = None) -> int:
    """Wait for a GPU that no other process of ours holds, and hold it until this process ends.

    Local jobs share a machine without anyone who places them; each takes the first free GPU.

    Args:
        names: what identifies each GPU on this machine, such as its UUID.
        folder: of the lock files; default: where temporary files go, the same for all users.

    Returns:
        Its position in `names`.

    Raises:
        DemixError: the folder's file system offers no locks.
    """
    folder = folder or Path(tempfile.gettempdir()) / "demix-gpu-locks"
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        folder.chmod(0o777)
    waiting = False
    while True:
        for index, name in enumerate(names):
            lock = take_lock(folder / f"{name}.lock", all_users=True)
            if lock is not None:
                _held.append(lock)
                return index
        if not waiting:
            print(f"waiting for one of {len(names)} GPUs", file=sys.stderr, flush=True)
        waiting = True
        time.sleep(SECONDS_BETWEEN_LOOKS)
