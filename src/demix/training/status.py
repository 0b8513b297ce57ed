"""The status file of an unfinished training, for other processes to read: steps done, speed. Never imports torch."""

import time
from pathlib import Path
from typing import Any

from demix.support.files import write_json
from demix.support.processes import this_process

FILE = "status.json"
SECONDS_BETWEEN = 10.0


class Status:
    """Who trains a run with a seed, how far it is, and how it ended if it did not finish.

    A record that cannot be written, on a full disk say, is left out: training matters more.

    Args:
        folder: the run's folder of checkpoints, which goes when the run is finished.
    """

    def __init__(self, folder: Path):
        self.path = folder / FILE
        self._record: dict[str, Any] = {"state": "running", **this_process()}
        self._last = 0.0
        self._write()

    def report(self, step: int, steps: int, rate: float) -> None:
        """Note how far it is, at most once in ten seconds.

        Args:
            step: steps made.
            steps: steps to make.
            rate: steps per second, 0 if unknown.
        """
        if time.monotonic() - self._last >= SECONDS_BETWEEN:
            self._record |= {"step": step, "steps": steps, "steps_per_second": rate}
            self._write()

    def ended(self, state: str, message: str) -> None:
        """Note how it ended: "interrupted" or "failed", with one line that says why."""
        self._record |= {"state": state, "message": message}
        self._write()

    def _write(self) -> None:
        self._last = time.monotonic()
        try:
            write_json(self.path, self._record)
        except OSError:
            return


def started_by(record: dict[str, Any]) -> str:
    """Where the process of a status record runs, in words."""
    job = record.get("slurm_job")
    return f"{record.get('host')}, " + (f"SLURM job {job}" if job else f"process {record.get('process')}")
