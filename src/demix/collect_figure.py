"""Collect the scores of a figure's runs into one parquet file, beside the curves of theory.

The workflow calls it with a plan and all scores. By hand:

    python -m demix.collect_figure --partial icml_figure2 --scale paper

collects and draws what exists, scoring finished seeds whose run is not complete; points without a result are left
out.
"""

from pathlib import Path
from typing import Any

from demix.experiment.experiment import Experiment
from demix.support.cli import run
from demix.support.errors import ConfigError
from demix.workflow.collecting import collect_command, partly_there, scores_so_far, write_with_claims


def main() -> None:
    """Command line."""
    collect_command("collect_figure", __doc__, "figure", write_points, write_partial)


def write_points(plan: dict[str, Any], scores: dict[str, Any], out: Path) -> None:
    """Write the parquet files of a figure and of its claims."""
    from demix.claims.collect import collect_claims
    from demix.figures.collect import collect_figure

    table = collect_figure(plan, scores)
    as_cells = table.assign(row_id=table["run"], setting="unsupervised")
    write_with_claims(table, collect_claims(as_cells, plan | {"table": plan["figure"]}), plan, out)


def write_partial(experiment: Experiment, name: str) -> Path:
    """Collect and draw a figure from whatever is there.

    Returns:
        The caption; the drawings lie beside it.

    Raises:
        ConfigError: there is no such figure, or it is no sweep.
    """
    from demix.figures.plan import figure_plan, figure_runs
    from demix.render_figure import render
    from demix.workflow.paths import figure_file

    runs = figure_runs(experiment, name)
    if experiment.figure(name).kind != "marginal_sweep":
        raise ConfigError(
            f"figure '{name}' has no parts that could be there before the rest: snakemake {name} makes it"
        )
    out = figure_file(experiment, name, "partial.parquet")
    write_points(figure_plan(experiment, name), scores_so_far(experiment, runs), out)
    render(out, out.with_suffix(""))
    return out.with_suffix(".md")


def write_all_partial(experiment: Experiment) -> list[Path]:
    """What exists of every figure that lacks some result: the captions."""
    from demix.figures.plan import figure_runs

    return [
        write_partial(experiment, name)
        for name, figure in experiment.figures.items()
        if figure.kind == "marginal_sweep" and partly_there(experiment, figure_runs(experiment, name))
    ]


if __name__ == "__main__":
    run(main)
