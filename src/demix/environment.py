"""The environment that the workflow's commands run in."""

import os
import sys
from pathlib import Path


def prepare_commands() -> None:
    """Make shell commands use the Python that runs now and this very package, whatever environment is activated.

    An environment that conda makes for a rule comes before this Python, but still finds the package.
    """
    _put_first("PATH", Path(sys.executable).parent)
    _put_first("PYTHONPATH", Path(__file__).resolve().parents[1])


def limit_threads(count: int) -> None:
    """Let torch and numpy use so many CPU threads; they read it when they are imported.

    Threads that wait for others sleep, unless the user has said otherwise: where other programs run too, spinning ones
    keep those they wait for off the cores, and a step of many short operations takes ten times as long.
    """
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(count)
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def _put_first(variable: str, folder: Path) -> None:
    rest = os.environ.get(variable)
    os.environ[variable] = os.pathsep.join([str(folder), *([rest] if rest else [])])
