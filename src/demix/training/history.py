"""history.parquet: the loss of a training and its terms over the steps, with scores in some rows.

There are about 200 rows, one after every (steps / 200) steps and one after the first step. Columns:

    step            steps done so far, from 1
    loss            mean of the training loss over the steps since the last row, in nats for InfoNCE
    <term>          the same mean of each entry of `Loss.terms`, such as the parts of a VAE's loss
    learning_rate   of the last of these steps, before factors of single parameters
    <score>         such as r2 and mcc: fractions, of the codes of the evaluation set, in every tenth row and the last
                    one, else empty; named "<set>_<score>" if there are several evaluation sets
    wall_time_s     seconds of training up to the row, over all processes that worked on it
"""

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
    """Rows of the history. Sums for the next row stay on the device until it is written, so that no step waits."""

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
