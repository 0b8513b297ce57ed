"""Collect what a figure of any kind shows into one parquet file: scores, histories, codes, rendered images or theory.

The workflow calls it with a plan and all results. By hand:

    python -m demix.collect_figure --partial icml_figure2 --scale paper

collects and draws what exists of the figure's runs; points without a result are left out. Beside the data,
FIGURE.claims.parquet says what it means for the papers' claims.
"""

from pathlib import Path

from demix.collecting.command import Results, collect_command, plan_reader
from demix.experiment.experiment import Experiment
from demix.figures.plan import FigurePlan, figure_plan, figure_requests, figure_runs, seeds_shown
from demix.specs.figures.kinds import NEEDS
from demix.support.building import build
from demix.support.cli import run
from demix.support.errors import ConfigError


def main() -> None:
    """Command line."""
    inputs = tuple(sorted(NEEDS))
    collect_command("collect_figure", __doc__, "figure", plan_reader(FigurePlan), write_data, write_partial, inputs)


def write_data(plan: FigurePlan, results: Results, out: Path) -> None:
    """Write the parquet files of a figure and of its claims."""
    from demix.claims.common.collect import collect_claims
    from demix.collecting.writing import write_with_claims

    kind = build(plan.spec)
    table = kind.collect(plan, results)
    write_with_claims(table, collect_claims(kind.as_cells(table), plan), plan, out)


def write_partial(experiment: Experiment, name: str) -> Path:
    """Collect and draw a figure from whatever is there.

    Returns:
        The caption; the drawings lie beside it.

    Raises:
        ConfigError: there is no such figure, or it shows no runs.
    """
    from demix.collecting.partial import data_cards, missing_data
    from demix.render_figure import render
    from demix.workflow.paths import figure_file

    runs = figure_runs(experiment, name)
    if not runs:
        raise ConfigError(
            f"figure '{name}' has no parts that could be there before the rest: snakemake {name} makes it"
        )
    plan = figure_plan(experiment, name).model_copy(update={"skipped": missing_data(data_cards(runs))})
    out = figure_file(experiment, name, "partial.parquet")
    write_data(plan, results_so_far(experiment, name), out)
    render(out, out.with_suffix(""))
    return out.with_suffix(".md")


def results_so_far(experiment: Experiment, name: str) -> Results:
    """What exists of the runs of a figure."""
    from demix.collecting.partial import data_cards, scores_so_far
    from demix.workflow.paths import CARD, data_folder, seed_folder

    figure, runs = experiment.figure(name), figure_runs(experiment, name)
    folders = [seed_folder(experiment, member, seed) for member in runs for seed in seeds_shown(figure, member)]
    finished = [folder for folder in folders if (folder / "provenance.json").exists()]
    histories = [path for folder in finished if (path := folder / "history.parquet").exists()]
    return Results(
        scores=scores_so_far(experiment, figure_requests(experiment, name)) if "scores" in figure.needs else {},
        histories=tuple(histories) if "histories" in figure.needs else (),
        codes=tuple(finished) if "codes" in figure.needs else (),
        data=tuple(data_folder(member, 0) / CARD for member in runs) if figure.reads_data else tuple(data_cards(runs)),
    )


def write_all_partial(experiment: Experiment) -> list[Path]:
    """What exists of every figure that lacks some result: the captions."""
    from demix.collecting.partial import partly_there

    return [
        write_partial(experiment, name)
        for name in experiment.figures
        if partly_there(experiment, figure_runs(experiment, name))
    ]


if __name__ == "__main__":
    run(main)
