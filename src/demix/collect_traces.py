"""Collect mask sequences with the factors and codes of a trained run, for a picture."""

from pathlib import Path

from demix.support.cli import from_json, parser, run
from demix.support.files import read_arrays, read_json, replacing
from demix.workflow.collecting import missing_data


def main() -> None:
    """Command line."""
    arguments = parser("collect_traces", __doc__)
    arguments.add_argument("--plan", required=True, help="the figure's plan, as JSON")
    arguments.add_argument(
        "--codes", nargs="*", type=Path, default=[], help="codes.npz of the run's seed, if it is there"
    )
    arguments.add_argument("--data", required=True, type=Path, help="card of the data that the run was trained on")
    arguments.add_argument("--out", required=True, type=Path, help="parquet file to write")
    options = arguments.parse_args()
    plan = from_json(options.plan, "--plan") | {"skipped": missing_data([options.data])}
    write_traces(plan, options.codes, options.data, options.out)


def write_traces(plan: dict, codes: list[Path], card: Path, out: Path) -> None:
    """Write the parquet file of a picture; without codes one without rows."""
    from demix.datasets.common.mask_folder import read_sequences
    from demix.figures.traces import no_traces, traces

    table = no_traces()
    for path in codes:
        data = f"{card.parent.parent.name} {read_json(card)['hash'][:12]}"
        table = traces(plan, read_arrays(path), read_sequences(card.parent), data)
    table.attrs["plan"] = plan
    with replacing(out) as temporary:
        table.to_parquet(temporary, index=False)


if __name__ == "__main__":
    run(main)
