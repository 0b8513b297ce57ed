"""Score the codes of one run, all its seeds.

Reads codes.npz and provenance.json of every seed's folder, and evaluation sets that were encoded after the training,
and writes one row for each seed and requested score, with the provenance of the run. Needs no torch.

With --values, that folder stores every value under a digest of the codes, the score and its source: when a table shows
one more score, only that one is computed.
"""

from pathlib import Path

from demix.scores.common.rows import score_rows
from demix.specs.base import parse
from demix.specs.scores import ScoreRequest
from demix.support.cli import from_json, parser, run
from demix.support.errors import ConfigError
from demix.support.files import replacing


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


if __name__ == "__main__":
    run(main)
