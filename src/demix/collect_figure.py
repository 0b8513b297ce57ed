"""Collect the scores of a figure's runs into one parquet file, beside the curves of theory.

The workflow calls it with a plan and all scores. By hand:

    python -m demix.collect_figure --partial icml_figure2 --scale paper

collects and draws what exists, scoring finished seeds whose run is not complete; points without a result are left
out.
"""

from argparse import Namespace
from pathlib import Path
from typing import Any

from demix.cli import add_config_options, from_json, parser, run
from demix.errors import ConfigError
from demix.files import read_parquet, replacing


def main() -> None:
    """Command line."""
    arguments = parser("collect_figure", __doc__)
    arguments.add_argument("--plan", help="the figure's plan, as JSON")
    arguments.add_argument("--scores", nargs="+", type=Path, default=[], help="parquet files of demix.score")
    arguments.add_argument("--out", type=Path, help="parquet file to write")
    arguments.add_argument("--partial", metavar="FIGURE", help="collect and draw what exists of a figure")
    add_config_options(arguments)
    options = arguments.parse_args()
    if options.partial:
        collect_partial(options)
    elif options.plan and options.out:
        frames = (read_parquet(path) for path in options.scores)
        write_points(from_json(options.plan, "--plan"), {frame["run"].iloc[0]: frame for frame in frames}, options.out)
    else:
        raise ConfigError("give --plan, --scores and --out, or --partial FIGURE")


def write_points(plan: dict[str, Any], scores: dict[str, Any], out: Path) -> None:
    """Write the parquet file of a figure; the plan goes into the file's metadata for drawing."""
    from demix.figures.collect import collect_figure

    table = collect_figure(plan, scores)
    table.attrs["plan"] = plan
    with replacing(out) as temporary:
        table.to_parquet(temporary, index=False)


def collect_partial(options: Namespace) -> None:
    """Collect and draw a figure from whatever is there."""
    from demix.cli import experiment_of
    from demix.collect import scores_so_far
    from demix.figures.plan import figure_plan, figure_runs
    from demix.paths import figure_file
    from demix.render_figure import render

    experiment = experiment_of(options)
    runs = figure_runs(experiment, options.partial)
    if not runs:
        raise ConfigError(f"figure '{options.partial}' shows no runs: snakemake {options.partial} makes it in seconds")
    out = figure_file(experiment, options.partial, "partial.parquet")
    write_points(figure_plan(experiment, options.partial), scores_so_far(experiment, runs), out)
    render(out, out.with_suffix(""))
    print(out.with_suffix(".md").read_text())


if __name__ == "__main__":
    run(main)
