"""Score the codes of one run, all its seeds.

Reads codes.npz and provenance.json of every seed's folder and writes one row for each seed, evaluation set and
score: value as a fraction, with the provenance of the run. Needs no torch.
"""

from pathlib import Path
from typing import Any

from demix.support.cli import parser, run
from demix.support.files import read_arrays, read_json, replacing

GIVEN = "/score/"
"""In the name of an array: a score that a step has computed itself, where there is too much to keep as codes."""

PAIR_WIDTHS = ("pair_width", "pair_width_drawn")
"""Facts of pairs that are matched to pictures."""

PROVENANCE = (
    "outcome",
    "bit_exact",
    "commit",
    "finished",
    "steps",
    "steps_per_second",
    "wall_time_s",
    "peak_memory_mb",
)


def main() -> None:
    """Command line."""
    arguments = parser("score", __doc__)
    arguments.add_argument("--run", required=True, help="id of the run")
    arguments.add_argument("--key", default="", help="the run's key, for the record")
    arguments.add_argument("--results", required=True, nargs="+", type=Path, help="a folder seed<k> for every seed")
    arguments.add_argument("--out", required=True, type=Path, help="parquet file to write")
    options = arguments.parse_args()
    rows = score_rows(options.run, options.key, options.results)
    import pyarrow as pa
    import pyarrow.parquet as pq

    with replacing(options.out) as temporary:
        pq.write_table(pa.Table.from_pylist(rows), temporary)


def score_rows(name: str, key: str, folders: list[Path]) -> list[dict[str, Any]]:
    """All scores of a run, one row for each seed, evaluation set and score.

    What a record does not say, since an earlier version of demix wrote it, is left open: the results are as good.

    Raises:
        DataError: a file is missing or damaged.
    """
    return [row for folder in folders for row in _seed_rows(name, key, folder)]


def _seed_rows(name: str, key: str, folder: Path) -> list[dict[str, Any]]:
    from demix.scores import SCORES

    record = read_json(folder / "provenance.json")
    arrays = read_arrays(folder / "codes.npz")
    origin = {"run": name, "key": key, "seed": record["seed"]} | {item: record.get(item) for item in PROVENANCE}
    origin |= {package: record["versions"][package] for package in ("python", "demix", "torch", "numpy")}
    device = record["device"]
    origin |= {"device": device["name"], "device_type": device["type"]}
    origin["device_memory_mb"] = device.get("peak_memory_mb")
    origin["data"] = _image_data(record)
    origin |= {name: record.get("facts", {}).get(name) for name in PAIR_WIDTHS}
    given = {tuple(name.split(GIVEN)): float(value) for name, value in arrays.items() if GIVEN in name}
    sets = [array.removesuffix("/factors") for array in arrays if array.endswith("/factors")]
    computed = {
        (set_name, metric): score(arrays[f"{set_name}/factors"], arrays[f"{set_name}/codes"])
        for set_name in sets
        for metric, score in SCORES.items()
    }
    return [
        origin | {"evaluation_set": set_name, "metric": metric, "value": value}
        for (set_name, metric), value in (given | computed).items()
    ]


def _image_data(record: dict[str, Any]) -> str | None:
    """Which image data a result was trained on; None for synthetic problems, whose key says all."""
    data = record.get("data", {"kind": "synthetic"})
    return None if data["kind"] == "synthetic" else f"{data['kind']} {data['hash'][:12]}"


if __name__ == "__main__":
    run(main)
