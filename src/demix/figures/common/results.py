"""Results of the runs of a figure, by run and seed."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from demix.collecting.command import Results
from demix.figures.plan import FigurePlan
from demix.support.codes import CodedSet, file_of_set, read_codes
from demix.support.files import read_parquet
from demix.support.provenance import FILE as PROVENANCE
from demix.support.provenance import Provenance

HISTORY = "history.parquet"


def codes_of(plan: FigurePlan, results: Results, run: str) -> dict[int, dict[str, CodedSet]]:
    """Evaluation sets of a run that the figure reads, by seed and name; those without a result are left out.

    Raises:
        DataError: a file is damaged.
    """
    return {seed: _coded(folder, plan.coded_sets[run]) for seed, folder in folders_of(plan, results.codes, run).items()}


def histories_of(plan: FigurePlan, results: Results, run: str) -> dict[int, pd.DataFrame]:
    """How the training of a run went, by seed: what history.parquet has; seeds without a result are left out."""
    folders = folders_of(plan, [path.parent for path in results.histories], run)
    return {seed: read_parquet(folder / HISTORY) for seed, folder in folders.items()}


def folders_of(plan: FigurePlan, folders: Iterable[Path], run: str) -> dict[int, Path]:
    """Those of the folders of finished seeds that are a run's, by seed. The same results may have several run ids."""
    records = ((folder, Provenance.read(folder / PROVENANCE)) for folder in folders)
    return {record.seed: folder for folder, record in records if record.key == plan.runs[run].key}


def data_of(folder: Path) -> str:
    """Which data the results in a folder of a run and seed were made of, for the record."""
    data = Provenance.read(folder / PROVENANCE).data
    return f"{data.kind} {data.hash[:12]}" if data else ""


def _coded(folder: Path, sets: dict[str, str]) -> dict[str, CodedSet]:
    """Sets by name, of those that are there."""
    files = {name: file_of_set(folder, name, key) for name, key in sets.items()}
    found = read_codes(*dict.fromkeys(file for file in files.values() if file))
    return {name: found[name] for name in sets if name in found}
