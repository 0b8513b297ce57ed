"""Collect the scores of a table's runs into one parquet file, beside the printed numbers.

The workflow calls it with a plan and all scores. By hand:

    python -m demix.collect --partial icml_table1 --scale paper

collects and renders what exists, scoring finished seeds whose run is not complete; cells without a result are
shown as missing.
"""

from argparse import Namespace
from pathlib import Path
from typing import Any

from demix.cli import add_config_options, from_json, parser, run
from demix.errors import ConfigError
from demix.experiment import Experiment, Run
from demix.files import read_parquet, replacing


def main() -> None:
    """Command line."""
    arguments = parser("collect", __doc__)
    arguments.add_argument("--plan", help="the table's plan, as JSON")
    arguments.add_argument("--scores", nargs="+", type=Path, default=[], help="parquet files of demix.score")
    arguments.add_argument("--out", type=Path, help="parquet file to write")
    arguments.add_argument("--partial", metavar="TABLE", help="collect and render what exists of a table")
    add_config_options(arguments)
    options = arguments.parse_args()
    if options.partial:
        collect_partial(options)
    elif options.plan and options.out:
        write_table(from_json(options.plan, "--plan"), options.scores, options.out)
    else:
        raise ConfigError("give --plan, --scores and --out, or --partial TABLE")


def write_table(plan: dict[str, Any], scores: list[Path], out: Path) -> None:
    """Write the parquet file of a table; the plan goes into the file's metadata for rendering."""
    frames = (read_parquet(path) for path in scores)
    _write(plan, {frame["run"].iloc[0]: frame for frame in frames}, out)


def collect_partial(options: Namespace) -> None:
    """Collect and render a table from whatever is there, and print it."""
    from demix.cli import experiment_of
    from demix.paths import table_file
    from demix.render import render
    from demix.tables.plan import table_plan

    experiment = experiment_of(options)
    plan = table_plan(experiment, options.partial)
    out = table_file(experiment, options.partial, "partial.parquet")
    _write(plan, scores_so_far(experiment, experiment.runs_of(options.partial)), out)
    render(out)
    print(out.with_suffix(".txt").read_text())


def scores_so_far(experiment: Experiment, runs: list[Run]) -> dict[str, Any]:
    """Scores of the finished seeds of runs, a data frame by run id. Scored anew: a file may be of other seeds."""
    import pandas as pd

    from demix.paths import seed_folder
    from demix.score import score_rows

    frames = {}
    for member in runs:
        folders = [seed_folder(experiment, member, seed) for seed in experiment.seeds]
        finished = [folder for folder in folders if (folder / "provenance.json").exists()]
        if finished:
            frames[member.id] = pd.DataFrame(score_rows(member.id, member.key, finished))
    return frames


def _write(plan: dict[str, Any], frames: dict[str, Any], out: Path) -> None:
    from demix.tables.collect import collect

    table = collect(plan, frames)
    table.attrs["plan"] = plan
    with replacing(out) as temporary:
        table.to_parquet(temporary, index=False)


if __name__ == "__main__":
    run(main)
