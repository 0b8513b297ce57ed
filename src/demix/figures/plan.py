"""What a figure needs to know of the experiment, as a typed record, for any kind of figure. Never imports torch."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, product
from typing import Any

from pydantic import Field

from demix.collecting.departures import departures
from demix.collecting.known import refuse_unknown_needs
from demix.collecting.plan import CollectPlan, planned_runs
from demix.experiment.experiment import Experiment
from demix.experiment.keys import result_key
from demix.experiment.run import Run
from demix.specs.base import content
from demix.specs.figures.kinds import Figure, FigureSpec
from demix.specs.scores import ScoreRequest
from demix.support.errors import ConfigError, unknown
from demix.support.mappings import flat


class FigurePlan(CollectPlan):
    """The plan of a figure of any kind.

    Args:
        spec: what it shows.
        shown: ids of its runs, by the place in the spec that names them.
        coded_sets: keys of the evaluation sets whose codes it reads, by run and name.
        rendered_key: of the images that are rendered for it alone, empty if there are none.
        details: what its kind adds.
    """

    spec: Figure
    shown: dict[str, tuple[str, ...]] = Field({})
    coded_sets: dict[str, dict[str, str]] = Field({})
    rendered_key: str = ""
    details: dict[str, Any] = Field({})


def figure_plan(experiment: Experiment, name: str) -> FigurePlan:
    """The plan of a figure.

    Raises:
        ConfigError: there is no such figure, or it cannot show its runs.
    """
    figure, shown = experiment.figure(name), _shown(experiment, name)
    runs = _each_once(shown)
    return FigurePlan(
        name=name,
        title=figure.title,
        notes=figure.notes,
        spec=figure,
        shown={place: tuple(run.id for run in runs) for place, runs in shown.items()},
        scale=experiment.scale_name,
        description=experiment.scale.description,
        device=experiment.scale.device,
        claims=experiment.scale.claims,
        stand_in=any(run.spec.problem.stand_in for run in runs),
        seeds=max((len(seeds_shown(figure, run)) for run in runs), default=0),
        runs=planned_runs(runs),
        coded_sets={run.id: _coded_sets(figure, run) for run in runs if figure.coded_sets},
        rendered_key=result_key(figure.rendered) if figure.rendered else "",
        departures=(
            *(departures(runs) if runs else ()),
            *_coarser_grids(experiment, figure),
            *_other_settings(experiment, name),
        ),
        details=figure.details(shown),
    )


def figure_runs(experiment: Experiment, name: str) -> list[Run]:
    """The runs that a figure shows, each once; none if it needs no training.

    Raises:
        ConfigError: there is no such figure, or it cannot show its runs.
    """
    return _each_once(_shown(experiment, name))


def figure_requests(experiment: Experiment, name: str) -> dict[str, list[ScoreRequest]]:
    """Scores that a figure needs of its runs, by run id.

    Raises:
        ConfigError: there is no such figure, it cannot show its runs, one does not have an evaluation set, or what a
            score needs is not known of its samples.
    """
    requests = list(experiment.figure(name).requests)
    return {run.id: requests for run in figure_runs(experiment, name)} if requests else {}


def seeds_shown(figure: FigureSpec, run: Run) -> tuple[int, ...]:
    """Seeds of a run that a figure shows."""
    return tuple(run.seeds) if figure.seeds_shown is None else figure.seeds_shown


def _shown(experiment: Experiment, name: str) -> dict[str, list[Run]]:
    """Runs of a figure by the place in its spec that names them, found and checked."""
    figure, where = experiment.figure(name), f"figures.{name}"
    shown: dict[str, list[Run]] = {}
    for place, sweep in figure.sweeps_named.items():
        with _at(f"{where}.{place}"):
            shown[place] = experiment.sweep_runs(sweep)
    for place, run in figure.runs_named.items():
        with _at(f"{where}.{place}"):
            shown[place] = [experiment.runs[run]]
    try:
        figure.check(shown)
        for member in _each_once(shown):
            _has_sets(figure, member)
    except ValueError as error:
        raise ConfigError(f"{where}.{error}") from None
    try:
        for member in _each_once(shown):
            refuse_unknown_needs(member, figure.requests)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None
    return shown


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Say in an error where in the configuration it is."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None


def _has_sets(figure: FigureSpec, run: Run) -> None:
    """Every evaluation set that is scored exists."""
    sets = run.spec.problem.evaluation_sets
    for request in figure.requests:
        if request.evaluation_set not in sets:
            raise ValueError(f"evaluation_set: {unknown('evaluation_set', request.evaluation_set, sets)} (of {run.id})")


def _each_once(shown: dict[str, list[Run]]) -> list[Run]:
    return list({run.id: run for run in chain.from_iterable(shown.values())}.values())


def _coded_sets(figure: FigureSpec, run: Run) -> dict[str, str]:
    return {name: run.spec.problem.set_key(name) for name in figure.coded_sets}


def _other_settings(experiment: Experiment, name: str) -> list[str]:
    """What the scale changes in the figure itself, a line each."""
    written, here = (flat(content(figures[name])) for figures in (experiment.published_figures, experiment.figures))
    changed = [place for place in written | here if written.get(place) != here.get(place)]
    return [f"{place}: {written.get(place)} → {here.get(place)}" for place in changed]


def _coarser_grids(experiment: Experiment, figure: FigureSpec) -> list[str]:
    """How many points a scale leaves of each sweep, a line each."""
    lines = []
    for sweep in dict.fromkeys(name.split("/")[-1] for name in figure.sweeps_named.values()):
        written, here = (
            len(list(product(*sweeps[sweep].vary.values())))
            for sweeps in (experiment.published_sweeps, experiment.sweeps)
        )
        if written != here:
            lines.append(f"points of {sweep}: {written} → {here}")
    return lines
