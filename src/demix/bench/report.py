"""Rows of a benchmark as they come: a table or JSON lines, a parquet file and a plot."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import torch

from demix.support.files import replacing
from demix.support.provenance import device_record, versions

DIGITS = {"ms": 1, "mb": 1, "ratio": 3, "second": 1, "seconds": 1, "score": 4, "reach": 2}


class Report:
    """Prints rows and writes them when there are no more.

    Args:
        what: the benchmark; files are called so.
        folder: where to write.
        as_json: JSON lines on standard output instead of a table.
    """

    def __init__(self, what: str, folder: Path, as_json: bool):
        self.what, self.folder, self.as_json = what, folder, as_json
        self.rows: list[dict[str, Any]] = []

    def add(self, row: Mapping[str, Any]) -> None:
        """One more row, printed at once."""
        if not self.rows:
            print(_machine(row), file=sys.stderr)
        self.rows.append(dict(row))
        if self.as_json:
            print(json.dumps(row), flush=True)
            return
        if len(self.rows) == 1:
            print(_line(list(_shown(row))))
            print(_line(["-" * 3] * len(_shown(row))))
        print(_line([_text(name, row[name]) for name in _shown(row)]), flush=True)

    def finish(self) -> None:
        """Write <what>.parquet and, if matplotlib is there, <what>.png."""
        with replacing(self.folder / f"{self.what}.parquet") as temporary:
            pq.write_table(pa.Table.from_pylist(self.rows), temporary)
        try:
            from demix.bench.plot import plot
        except ImportError:
            print("no plot: matplotlib is not installed", file=sys.stderr)
            return
        with replacing(self.folder / f"{self.what}.png") as temporary:
            plot(self.what, self.rows, temporary)


def _machine(row: Mapping[str, Any]) -> str:
    """What the numbers were measured on."""
    name = device_record(torch.device(row["device"])).name
    return f"{name}, {row['threads']} CPU threads, torch {versions('torch')['torch']}"


def _shown(row: Mapping[str, Any]) -> list[str]:
    return [name for name in row if name not in ("what", "device", "threads")]


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _text(name: str, value: Any) -> str:
    """A cell; "-" for what was not measured or not reached."""
    if value is None:
        return "-"
    if name == "backend":
        return value.split()[0]  # the rest names the compiler
    return f"{value:,.{DIGITS.get(name.rsplit('_', 1)[-1], 1)}f}" if isinstance(value, float) else str(value)
