"""The course of a run: loss and its terms, scores now and then, as rows of a parquet file."""

import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import torch

from demix.objectives.common.base import Loss
from demix.support.files import replacing


class History:
    """Averages of the loss and its terms between two rows, kept on the device until a row ends."""

    def __init__(self) -> None:
        self.rows: list[dict[str, float]] = []
        self._sums: dict[str, torch.Tensor | float] = defaultdict(float)
        self._count = 0
        self._start = time.monotonic()

    def add(self, loss: Loss) -> None:
        """Count one step. Does not wait for the device."""
        for name, value in {"loss": loss.total.detach(), **loss.terms}.items():
            self._sums[name] = self._sums[name] + value.double()
        self._count += 1

    def row(self, step: int, **more: float) -> dict[str, float]:
        """End a row after `step` steps: means since the last row (nats), and whatever else is known."""
        means = {name: float(total) / self._count for name, total in self._sums.items()}
        row = {"step": step, **means, **more, "wall_time_s": time.monotonic() - self._start}
        self.rows.append(row)
        self._sums.clear()
        self._count = 0
        return row

    def state(self) -> dict[str, Any]:
        """Rows so far and the sums of the row that is not ended, for a checkpoint."""
        sums = {name: float(total) for name, total in self._sums.items()}
        elapsed = time.monotonic() - self._start
        return {"rows": list(self.rows), "sums": sums, "count": self._count, "elapsed": elapsed}

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from what `state` returned; time spent before counts."""
        self.rows = state["rows"]
        self._sums = defaultdict(float, state["sums"])
        self._count = state["count"]
        self._start = time.monotonic() - state["elapsed"]

    def write(self, path: Path) -> None:
        """Write all rows; a column that a row does not have is empty there."""
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        table = pa.table({name: [row.get(name) for row in self.rows] for name in columns})
        with replacing(path) as temporary:
            pq.write_table(table, temporary)
