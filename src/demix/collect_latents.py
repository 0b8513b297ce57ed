"""Collect the R2 of every latent of some trained runs, for a figure."""

from pathlib import Path

from demix.support.cli import from_json, parser, run
from demix.support.files import read_arrays, read_json, replacing
from demix.workflow.collecting import missing_data


def main() -> None:
    """Command line."""
    arguments = parser("collect_latents", __doc__)
    arguments.add_argument("--plan", required=True, help="the figure's plan, as JSON")
    arguments.add_argument("--results", nargs="*", type=Path, default=[], help="a folder seed<k> for each run and seed")
    arguments.add_argument("--data", nargs="*", type=Path, default=[], help="cards of the data of the runs")
    arguments.add_argument("--out", required=True, type=Path, help="parquet file to write")
    options = arguments.parse_args()
    plan = from_json(options.plan, "--plan") | {"skipped": missing_data(options.data)}
    write_scores(plan, options.results, options.out)


def write_scores(plan: dict, folders: list[Path], out: Path) -> None:
    """Write the parquet file of a figure; without results one without rows."""
    from demix.figures.latents import latent_scores

    results = ((read_json(folder / "provenance.json"), read_arrays(folder / "codes.npz")) for folder in folders)
    table = latent_scores(plan, results)
    table.attrs["plan"] = plan
    with replacing(out) as temporary:
        table.to_parquet(temporary, index=False)


if __name__ == "__main__":
    run(main)
