"""Scores of a run as tidy rows, with the provenance of what was scored."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from demix.scores.common.kept_values import kept_value
from demix.specs.scores import ScoreRequest
from demix.support import codes, provenance
from demix.support.codes import CodedSet, read_codes
from demix.support.errors import ConfigError, unknown
from demix.support.provenance import Provenance

FACT = "fact_"
"""Prefix of the columns with the problem's facts, such as the mean distance of its pairs."""

COPIED = (
    "outcome",
    "bit_exact",
    "commit",
    "finished",
    "steps",
    "steps_per_second",
    "wall_time_s",
    "peak_memory_mb",
)
"""Fields of the provenance record that become columns."""


def score_rows(
    name: str,
    key: str,
    requests: Sequence[ScoreRequest],
    folders: Iterable[Path],
    sets: Iterable[Path] = (),
    values: Path | None = None,
) -> list[dict[str, Any]]:
    """Scores of a run, one row for each seed and request.

    A provenance record of an earlier version of demix may lack fields; their columns are empty then.

    Args:
        name, key: of the run.
        requests: scores with their evaluation sets.
        folders: one for every seed.
        sets: files of evaluation sets that were encoded after the training, below these folders.
        values: folder of the store of values, see `demix.scores.common.kept_values`; None for no store.

    Returns:
        Columns: run, key, seed, evaluation_set, score (its name), value (as the score gives it, so mostly a fraction),
        provenance, and a column "fact_<name>" for each fact that the problem reports.

    Raises:
        ConfigError: the run has no such evaluation set, or something that a score needs is not known of it.
        DataError: a file is missing or damaged.
    """
    by_folder: dict[Path, list[Path]] = {folder: [] for folder in folders}
    for path in sets:
        folder = path.parent.parent
        if folder not in by_folder:
            raise ConfigError(f"--sets: {unknown('folder', str(folder), map(str, by_folder))}")
        by_folder[folder].append(path)
    return [
        row
        for folder, later in by_folder.items()
        for row in _seed_rows(name, key, requests, folder, read_codes(folder / codes.FILE, *later), values)
    ]


def _seed_rows(
    name: str,
    key: str,
    requests: Sequence[ScoreRequest],
    folder: Path,
    sets: Mapping[str, CodedSet],
    values: Path | None,
) -> list[dict[str, Any]]:
    record = Provenance.read(folder / provenance.FILE)
    origin = {"run": name, "key": key, **_origin(record)}
    rows = []
    for request in requests:
        wanted = request.evaluation_set
        if wanted not in sets:
            raise ConfigError(f"run {name} ({folder}): {unknown('evaluation set', wanted, sets)}")
        try:
            value = kept_value(request.score, sets[wanted], record.seed, values)
        except ConfigError as error:
            raise ConfigError(f"run {name}, evaluation set {wanted} ({folder}): {error}") from None
        rows.append(origin | {"evaluation_set": wanted, "score": request.score.name, "value": value})
    return rows


def _origin(record: Provenance) -> dict[str, Any]:
    """The columns that say where a value comes from."""
    device = record.device
    origin: dict[str, Any] = {"seed": record.seed} | {field: getattr(record, field) for field in COPIED}
    origin |= {package: record.versions.get(package) for package in ("python", "demix", "torch", "numpy")}
    origin |= {"device": device.name, "device_type": device.type, "device_memory_mb": device.peak_memory_mb}
    origin["data"] = f"{record.data.kind} {record.data.hash[:12]}" if record.data and not record.data.of_seed else None
    return origin | {f"{FACT}{name}": value for name, value in record.facts.items()}
