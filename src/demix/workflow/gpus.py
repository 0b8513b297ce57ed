"""GPUs of this machine: whether there are any, and one holder each. Never imports torch."""

import fcntl
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from demix.support.errors import DemixError

SECONDS_BETWEEN_LOOKS = 1.0

_held: list[int] = []  # descriptors of the locks: held until the process ends, however it ends


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
    """
    folder = folder or Path(tempfile.gettempdir()) / "demix-gpus"
    if not folder.exists():
        folder.mkdir()
        folder.chmod(0o777)
    waiting = False
    while True:
        for index, name in enumerate(names):
            descriptor = _open(folder / f"{name}.lock")
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                continue
            _held.append(descriptor)
            return index
        if not waiting:
            print(f"waiting for one of {len(names)} GPUs", file=sys.stderr, flush=True)
        waiting = True
        time.sleep(SECONDS_BETWEEN_LOOKS)


def _open(path: Path) -> int:
    """A descriptor of a file that every user may lock, whoever made it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CREAT, 0o666)
    except PermissionError:  # of another user, in a folder where sticky files are protected
        descriptor = os.open(path, os.O_RDONLY)
    return descriptor
