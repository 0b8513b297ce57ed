"""Collect the scores of a table's runs into one parquet file, beside the printed numbers.

The workflow calls it with a plan and all scores. By hand:

    python -m demix.collect --partial icml_table1 --scale paper

collects and renders what exists, scoring finished seeds whose run is not complete; cells without a result are
shown as missing. Beside the table, TABLE.claims.parquet says what its numbers mean for the papers' claims.
"""

from pathlib import Path

from demix.collecting.command import Results, collect_command, plan_reader
from demix.collecting.partial import data_cards, missing_data, partly_there, scores_so_far
from demix.collecting.writing import write_with_claims
from demix.experiment.experiment import Experiment
from demix.support.cli import run
from demix.tables.plan import TablePlan, table_plan, table_requests


def main() -> None:
    """Command line."""
    collect_command("collect", __doc__, "table", plan_reader(TablePlan), write_table, write_partial)


def write_table(plan: TablePlan, results: Results, out: Path) -> None:
    """Write the parquet files of a table and of its claims."""
    from demix.claims.common.collect import collect_claims
    from demix.tables.collect import collect

    table = collect(plan, results.scores)
    write_with_claims(table, collect_claims(table, plan), plan, out)


def write_partial(experiment: Experiment, name: str) -> Path:
    """Collect and render a table from whatever is there.

    Returns:
        The text file; the other formats lie beside it.

    Raises:
        ConfigError: there is no such table.
    """
    from demix.render_table import render
    from demix.workflow.paths import table_file

    out = table_file(experiment, name, "partial.parquet")
    missing = missing_data(data_cards(experiment.runs_of(name)))
    plan = table_plan(experiment, name).model_copy(update={"skipped": missing})
    write_table(plan, Results(scores_so_far(experiment, table_requests(experiment, name))), out)
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


if __name__ == "__main__":
    run(main)
