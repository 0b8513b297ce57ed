"""The environment that the workflow's commands run in."""

import os
import sys
from pathlib import Path

from demix.support.checkout import SOURCES

SPINS = 30_000
"""Looks of a waiting thread before it sleeps, a few tens of microseconds."""


def prepare_commands() -> None:
    """Make shell commands use the Python that runs now and this very package, whatever environment is activated.

    An environment that conda makes for a rule comes before this Python, but still finds the package.
    """
    _put_first("PATH", Path(sys.executable).parent)
    _put_first("PYTHONPATH", SOURCES)


def limit_threads(count: int) -> None:
    """Let torch and numpy use `count` CPU threads; they read it when they are imported.

    Threads that wait for others spin for about as long as Python takes between two operations of a loss and then sleep,
    unless the user has said otherwise. Asleep at once, a step of many short operations takes up to seven times as long;
    spinning on, it takes several times as long where other programs run too (docs/performance.md).
    """
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(count)
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"  # heeded by other runtimes than GNU's, which counts spins
        os.environ.setdefault("GOMP_SPINCOUNT", str(SPINS))


def _put_first(variable: str, folder: Path) -> None:
    rest = os.environ.get(variable)
    os.environ[variable] = os.pathsep.join([str(folder), *([rest] if rest else [])])
