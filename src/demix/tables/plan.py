"""What a table needs to know of the experiment: rows, labels, runs, scores, departures. Never imports torch."""

import hashlib
from importlib.resources import files
from typing import NamedTuple

from pydantic import Field

from demix.collecting.departures import departures
from demix.collecting.known import refuse_unknown_needs
from demix.collecting.plan import CollectPlan, planned_runs
from demix.experiment.experiment import Experiment
from demix.experiment.run import Run
from demix.specs.base import Spec
from demix.specs.run import RunSpec
from demix.specs.scores import Score, ScoreRequest, ScoreSpec
from demix.support.errors import ConfigError, unknown

STAND_IN_TITLE = " (on a made stand-in, not on the published data)"
LABELS = ("space", "marginal", "conditional", "model_space", "model_conditional")


class RowPlan(Spec):
    """A row of a table.

    Args:
        labels: text of the label columns, see `row_labels`.
        cells: run by setting, which is the column of the printed table.
        also: run by further evaluation set; each is a column of its own.
    """

    labels: dict[str, str]
    cells: dict[str, str]
    also: dict[str, str] = Field({})


class PlannedCell(NamedTuple):
    """A cell of a row: what is shown where.

    Args:
        setting: the column of the printed table, or the further evaluation set that has a column.
        metric: the score's name in the paper's table.
        run: its id.
        request: the score, and the evaluation set that it is taken on.
    """

    setting: str
    metric: str
    run: str
    request: ScoreRequest


class TablePlan(CollectPlan):
    """Everything that `demix.collect` needs beside scores.

    Args:
        metrics: scores by their name in the paper's table, in order.
        metrics_of: those of a setting that does not have all of them.
        evaluation_set: which one the scores are taken on.
        rows: by the id of the printed row, in order.
    """

    metrics: dict[str, Score]
    metrics_of: dict[str, tuple[str, ...]] = Field({})
    evaluation_set: str
    rows: dict[str, RowPlan]

    def planned_cells(self, row: str) -> list[PlannedCell]:
        """The cells of a row, in order."""
        planned = self.rows[row]
        columns = [(setting, run, self.evaluation_set) for setting, run in planned.cells.items()]
        columns += [(name, run, name) for name, run in planned.also.items()]
        return [
            PlannedCell(setting, metric, run, ScoreRequest(evaluation_set=evaluation_set, score=self.metrics[metric]))
            for setting, run, evaluation_set in columns
            for metric in self.metrics_of.get(setting, tuple(self.metrics))
        ]

    @property
    def requests(self) -> dict[str, list[ScoreRequest]]:
        """The scores of each run, by its id, that it shows; each once."""
        found: dict[str, dict[ScoreRequest, None]] = {}
        for row in self.rows:
            for place in self.planned_cells(row):
                found.setdefault(place.run, {})[place.request] = None
        return {run: list(requests) for run, requests in found.items()}

    def head(self, metric: str) -> str:
        """What stands above the columns of a score; with its parameters where another one of the table has the same."""
        score = self.metrics[metric]
        alike = [other for other in self.metrics.values() if _head(other) == _head(score)]
        return f"{_head(score)} {score.parameters}".rstrip() if len(alike) > 1 else _head(score)


def _head(score: ScoreSpec) -> str:
    return score.head or score.kind


def table_plan(experiment: Experiment, name: str) -> TablePlan:
    """The plan of a table.

    Raises:
        ConfigError: there is no such table, a run of it has no such evaluation set, or what a score needs is not known
            of its samples.
    """
    table = experiment.table(name)
    runs = experiment.runs_of(name)
    stand_in = any(run.spec.problem.stand_in for run in runs)
    plan = TablePlan(
        name=name,
        title=table.title + (STAND_IN_TITLE if stand_in else ""),
        stand_in=stand_in,
        scale=experiment.scale_name,
        description=experiment.scale.description,
        seeds=max((len(run.seeds) for run in runs), default=0),
        claims=experiment.scale.claims,
        device=experiment.scale.device,
        metrics={metric: _score(experiment, name, metric) for metric in table.metrics},
        metrics_of=table.metrics_of,
        notes=table.notes,
        evaluation_set=table.evaluation_set,
        rows={
            row: RowPlan(
                labels=row_labels([experiment.runs[run] for run in cells.values()]),
                cells=cells,
                also=_further_sets(experiment, name, row),
            )
            for row, cells in table.rows.items()
        },
        runs=planned_runs(runs),
        departures=tuple(departures(runs)),
    )
    _refuse_unknown_sets(experiment, plan)
    _refuse_unknown_needs(experiment, plan)
    return plan


def table_requests(experiment: Experiment, name: str) -> dict[str, list[ScoreRequest]]:
    """The scores of each run, by its id, that a table shows; each once.

    Raises:
        ConfigError: there is no such table, a run of it has no such evaluation set, or what a score needs is not known
            of its samples.
    """
    return table_plan(experiment, name).requests


def _score(experiment: Experiment, name: str, metric: str) -> ScoreSpec:
    try:
        return experiment.table(name).score_of(metric)
    except ValueError as error:
        raise ConfigError(f"tables.{name}.metrics: {error}") from None


def _further_sets(experiment: Experiment, name: str, row: str) -> dict[str, str]:
    """Further evaluation sets that the last run of a row has, with the run."""
    table = experiment.table(name)
    last = list(table.rows[row].values())[-1]
    there = experiment.runs[last].spec.problem.evaluation_sets
    return {also: last for also in table.also_on if also in there}


def _refuse_unknown_sets(experiment: Experiment, plan: TablePlan) -> None:
    for run in plan.runs:
        allowed = experiment.runs[run].spec.problem.evaluation_sets
        if plan.evaluation_set not in allowed:
            known = unknown("evaluation set", plan.evaluation_set, allowed)
            raise ConfigError(f"tables.{plan.name}.evaluation_set: {known} (of run {run})")


def _refuse_unknown_needs(experiment: Experiment, plan: TablePlan) -> None:
    for run, requests in plan.requests.items():
        try:
            refuse_unknown_needs(experiment.runs[run], requests)
        except ValueError as error:
            raise ConfigError(f"tables.{plan.name}: {error}") from None


def published_digest(name: str) -> str:
    """Digest of what the papers print of a table or figure: its numbers, if there are any, and all claims."""
    digest = hashlib.sha256()
    for source in (files("demix.published") / f"{name}.csv", files("demix.published") / "claims.csv"):
        digest.update(source.read_bytes() if source.is_file() else b"")
    return digest.hexdigest()


def row_labels(runs: list[Run]) -> dict[str, str]:
    """Texts of the label columns of a row: space, marginal, conditional of the data; space, conditional of the model.

    They describe the runs with their published settings, whatever the scale changes, so that a row is labelled as in
    the paper. Where runs differ the last one counts; one that has no such text, such as a supervised run without a
    model conditional, leaves that of the run before it.
    """
    labels = dict.fromkeys(LABELS, "")
    for run in runs:
        labels |= {key: text for key, text in _labels(run.published).items() if text}
    return labels


def _labels(spec: RunSpec) -> dict[str, str]:
    model = spec.model
    return spec.problem.labels | {
        "model_space": model.output.label if model else "",
        "model_conditional": model.objective.conditional_label(model.output) if model else "",
    }
