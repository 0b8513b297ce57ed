"""Collect the rendered pictures of a figure into one parquet file; without a renderer one without rows."""

from pathlib import Path

from demix.support.cli import from_json, parser, run
from demix.support.files import replacing
from demix.workflow.collecting import missing_data


def main() -> None:
    """Command line."""
    arguments = parser("collect_pictures", __doc__)
    arguments.add_argument("--plan", required=True, help="the figure's plan, as JSON")
    arguments.add_argument("--shards", nargs="*", type=Path, default=[], help="rendered shards in order")
    arguments.add_argument("--renderer", required=True, type=Path, help="card of the environment to render in")
    arguments.add_argument("--out", required=True, type=Path, help="parquet file to write")
    options = arguments.parse_args()
    plan = from_json(options.plan, "--plan") | {"skipped": [] if options.shards else missing_data([options.renderer])}
    write_pictures(plan, options.shards, options.out)


def write_pictures(plan: dict, shards: list[Path], out: Path) -> None:
    """Write the parquet file of a figure of pictures."""
    from demix.figures.pictures import picture_rows

    table = picture_rows(plan, shards)
    table.attrs["plan"] = plan
    with replacing(out) as temporary:
        table.to_parquet(temporary, index=False)


if __name__ == "__main__":
    run(main)
