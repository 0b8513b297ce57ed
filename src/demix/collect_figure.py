"""Collect the scores of a figure's runs into one parquet file, beside the curves of theory.

The workflow calls it with a plan and all scores. By hand:

    python -m demix.collect_figure --partial icml_figure2 --scale paper

collects and draws what exists, scoring finished seeds whose run is not complete; points without a result are left
out.
"""

from pathlib import Path
from typing import Any

from demix.cli import add_config_options, experiment_of, from_json, parser, run
from demix.errors import ConfigError
from demix.experiment import Experiment
from demix.files import read_parquet, replacing
from demix.paths import claims_beside


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
        print(write_partial(experiment_of(options), options.partial).read_text())
    elif options.plan and options.out:
        frames = (read_parquet(path) for path in options.scores)
        write_points(from_json(options.plan, "--plan"), {frame["run"].iloc[0]: frame for frame in frames}, options.out)
    else:
        raise ConfigError("give --plan, --scores and --out, or --partial FIGURE")


def write_points(plan: dict[str, Any], scores: dict[str, Any], out: Path) -> None:
    """Write the parquet files of a figure and of its claims; the plan goes into the file's metadata for drawing."""
    from demix.claims.collect import collect_claims
    from demix.figures.collect import collect_figure

    table = collect_figure(plan, scores)
    table.attrs["plan"] = plan
    as_cells = table.assign(row_id=table["run"], setting="unsupervised")
    claims = collect_claims(as_cells, plan | {"table": plan["figure"]})
    for old in out.parent.glob(f"{out.stem}.partial.*"):  # the whole figure takes their place
        old.unlink()
    for path, frame in ((claims_beside(out), claims), (out, table)):
        with replacing(path) as temporary:
            frame.to_parquet(temporary, index=False)


def write_partial(experiment: Experiment, name: str) -> Path:
    """Collect and draw a figure from whatever is there.

    Returns:
        The caption; the drawings lie beside it.

    Raises:
        ConfigError: there is no such figure, or it shows no runs.
    """
    from demix.collect import scores_so_far
    from demix.figures.plan import figure_plan, figure_runs
    from demix.paths import figure_file
    from demix.render_figure import render

    runs = figure_runs(experiment, name)
    if not runs:
        raise ConfigError(f"figure '{name}' shows no runs: snakemake {name} makes it in seconds")
    out = figure_file(experiment, name, "partial.parquet")
    write_points(figure_plan(experiment, name), scores_so_far(experiment, runs), out)
    render(out, out.with_suffix(""))
    return out.with_suffix(".md")


def write_all_partial(experiment: Experiment) -> list[Path]:
    """What exists of every figure that lacks some result: the captions."""
    from demix.collect import partly_there
    from demix.figures.plan import figure_runs

    return [
        write_partial(experiment, name)
        for name in experiment.figures
        if partly_there(experiment, figure_runs(experiment, name))
    ]


if __name__ == "__main__":
    run(main)
