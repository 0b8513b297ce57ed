"""Collect the scores of a table's runs into one parquet file, beside the printed numbers.

The workflow calls it with a plan and all scores. By hand:

    python -m demix.collect --partial icml_table1 --scale paper

collects and renders what exists, scoring finished seeds whose run is not complete; cells without a result are
shown as missing. Beside the table, TABLE.claims.parquet says what its numbers mean for the papers' claims.
"""

from pathlib import Path
from typing import Any

from demix.cli import add_config_options, experiment_of, from_json, parser, run
from demix.errors import ConfigError
from demix.experiment import Experiment, Run
from demix.files import read_parquet, replacing
from demix.paths import claims_beside


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
        print(write_partial(experiment_of(options), options.partial).read_text())
    elif options.plan and options.out:
        write_table(from_json(options.plan, "--plan"), options.scores, options.out)
    else:
        raise ConfigError("give --plan, --scores and --out, or --partial TABLE")


def write_table(plan: dict[str, Any], scores: list[Path], out: Path) -> None:
    """Write the parquet file of a table; the plan goes into the file's metadata for rendering."""
    frames = (read_parquet(path) for path in scores)
    _write(plan, {frame["run"].iloc[0]: frame for frame in frames}, out)
    for old in out.parent.glob(f"{out.stem}.partial.*"):  # the whole table takes their place
        old.unlink()


def write_partial(experiment: Experiment, name: str) -> Path:
    """Collect and render a table from whatever is there.

    Returns:
        The text file; the other formats lie beside it.
    """
    from demix.paths import table_file
    from demix.render import render
    from demix.tables.plan import table_plan

    plan = table_plan(experiment, name)
    out = table_file(experiment, name, "partial.parquet")
    _write(plan, scores_so_far(experiment, experiment.runs_of(name)), out)
    render(out)
    return out.with_suffix(".txt")


def write_all_partial(experiment: Experiment) -> list[Path]:
    """What exists of every table that lacks some result, for a workflow that did not get to its end.

    Returns:
        The text files, none for tables that are whole or of which nothing exists.
    """
    return [
        write_partial(experiment, name)
        for name in experiment.tables
        if partly_there(experiment, experiment.runs_of(name))
    ]


def partly_there(experiment: Experiment, runs: list[Run]) -> bool:
    """Some but not all seeds of the runs are finished."""
    from demix.paths import seed_folder

    folders = [seed_folder(experiment, member, seed) for member in runs for seed in experiment.seeds]
    return 0 < sum((folder / "provenance.json").exists() for folder in folders) < len(folders)


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
    from demix.claims.collect import collect_claims
    from demix.tables.collect import collect

    table = collect(plan, frames)
    table.attrs["plan"] = plan
    for path, content in ((claims_beside(out), collect_claims(table, plan)), (out, table)):
        with replacing(path) as temporary:
            content.to_parquet(temporary, index=False)


if __name__ == "__main__":
    run(main)
