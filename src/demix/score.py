"""Score the codes of one run, all its seeds.

Reads codes.npz and provenance.json of every seed's folder, and the evaluation sets that were encoded later, and writes
one row for each seed and each score that is asked for, with the provenance of the run. Needs no torch.

With --values, what was computed once is kept there by codes, score and code of the score: a score that is asked for
later is the only one that is computed then.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from demix.specs.base import parse
from demix.specs.scores import ScoreRequest
from demix.support import codes
from demix.support.cli import from_json, parser, run
from demix.support.codes import CodedSet, read_codes
from demix.support.errors import ConfigError, unknown
from demix.support.files import replacing
from demix.support.provenance import FILE, Provenance

FACT = "fact_"
"""Begins the name of a column that holds what the problem tells of itself."""

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
"""Fields of the record that are columns too."""


def main() -> None:
    """Command line."""
    arguments = parser("score", __doc__)
    arguments.add_argument("--run", required=True, help="id of the run")
    arguments.add_argument("--key", default="", help="the run's key, for the record")
    arguments.add_argument("--requests", required=True, help="scores with their evaluation sets, as a JSON list")
    arguments.add_argument("--results", required=True, nargs="+", type=Path, help="a folder seed<k> for every seed")
    arguments.add_argument(
        "--sets", nargs="*", type=Path, default=[], help="evaluation sets that were encoded later, in these folders"
    )
    arguments.add_argument("--values", type=Path, help="folder of values that are kept; none: nothing is kept")
    arguments.add_argument("--out", required=True, type=Path, help="parquet file to write")
    options = arguments.parse_args()
    requests = read_requests(options.requests)
    rows = score_rows(options.run, options.key, requests, options.results, options.sets, options.values)
    import pyarrow as pa
    import pyarrow.parquet as pq

    with replacing(options.out) as temporary:
        pq.write_table(pa.Table.from_pylist(rows), temporary)


def read_requests(text: str) -> list[ScoreRequest]:
    """The scores that a JSON list asks for.

    Raises:
        ConfigError: it is no list of requests.
    """
    content = from_json(text, "--requests")
    if not isinstance(content, list):
        raise ConfigError(f"--requests: must be a list, got {text[:60]!r}")
    return [parse(ScoreRequest, entry, f"--requests.{place}") for place, entry in enumerate(content)]


def score_rows(
    name: str,
    key: str,
    requests: Sequence[ScoreRequest],
    folders: Iterable[Path],
    sets: Iterable[Path] = (),
    values: Path | None = None,
) -> list[dict[str, Any]]:
    """Scores of a run, one row for each seed and request.

    What a record does not say, since an earlier version of demix wrote it, is left open: the results are as good.

    Args:
        name, key: of the run.
        requests: scores with their evaluation sets.
        folders: one for every seed.
        sets: files of evaluation sets that were encoded later, below these folders.
        values: folder of values that are kept.

    Returns:
        Columns: run, key, seed, evaluation_set, score (its name), value (as the score gives it, so mostly a fraction),
        provenance, and a column "fact_..." for each thing that the problem tells of itself.

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
    from demix.scores.common.kept import kept_value

    record = Provenance.read(folder / FILE)
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


if __name__ == "__main__":
    run(main)
