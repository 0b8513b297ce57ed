"""What a figure needs to know of the experiment, as a typed record, for any kind of figure. Never imports torch."""

from collections.abc import Iterator
from itertools import chain, product
from typing import Any

from demix.experiment.experiment import Experiment, Run
from demix.experiment.keys import result_key
from demix.specs.base import Spec, content
from demix.specs.figures.kinds import Figure, FigureSpec
from demix.specs.scores import ScoreRequest
from demix.support.errors import ConfigError, unknown
from demix.tables.plan import departures


class PlannedRun(Spec):
    """A run that a figure shows.

    Args:
        key: of its results.
        comparable: its problem is the published one.
        seeds_planned: how many the figure shows.
        sets: keys of its evaluation sets whose codes the figure reads, by name.
    """

    key: str
    comparable: bool
    seeds_planned: int
    sets: dict[str, str] = {}


class FigurePlan(Spec):
    """All that collecting, drawing and captioning a figure need beside its inputs.

    Args:
        figure: its name.
        spec: what it shows.
        scale, description: the scale and its sentence.
        device: that the scale is for.
        claims: how claims are judged at the scale.
        stand_in: some of its data is made up in place of published data.
        seeds: the most that any run has.
        runs: by id.
        rendered_key: of the images that are rendered for it alone, empty if there are none.
        departures: from the published settings, a line each.
        details: what the kind adds.
        skipped: reason and remedy of data that is not available; known when it is collected.
    """

    figure: str
    spec: Figure
    scale: str
    description: str
    device: str
    claims: str
    stand_in: bool = False
    seeds: int = 0
    runs: dict[str, PlannedRun] = {}
    rendered_key: str = ""
    departures: tuple[str, ...] = ()
    details: dict[str, Any] = {}
    skipped: tuple[dict[str, str], ...] = ()

    @property
    def title(self) -> str:
        """Of the caption."""
        return self.spec.title

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the caption."""
        return self.spec.notes


def figure_plan(experiment: Experiment, name: str) -> FigurePlan:
    """The plan of a figure.

    Raises:
        ConfigError: there is no such figure, or it cannot show its runs.
    """
    figure, shown = experiment.figure(name), _shown(experiment, name)
    runs = _each_once(shown)
    return FigurePlan(
        figure=name,
        spec=figure,
        scale=experiment.scale_name,
        description=experiment.scale.description,
        device=experiment.scale.device,
        claims=experiment.scale.claims,
        stand_in=any(run.spec.problem.stand_in for run in runs),
        seeds=max((len(seeds_shown(figure, run)) for run in runs), default=0),
        runs={run.id: _planned(figure, run) for run in runs},
        rendered_key=result_key(figure.rendered) if figure.rendered else "",
        departures=(
            *(departures(experiment, runs) if runs else ()),
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
        ConfigError: there is no such figure, it cannot show its runs, or one does not have an evaluation set.
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
        if sweep not in experiment.sweeps:
            raise ConfigError(f"{where}.{place}: {unknown('sweep', sweep, experiment.sweeps)}")
        shown[place] = experiment.sweep_runs(sweep)
    for place, run in figure.runs_named.items():
        if run not in experiment.runs:
            raise ConfigError(f"{where}.{place}: {unknown('run', run, experiment.runs)}")
        shown[place] = [experiment.runs[run]]
    try:
        figure.check(shown)
        for run in _each_once(shown):
            _has_sets(figure, run)
    except ValueError as error:
        raise ConfigError(f"{where}.{error}") from None
    return shown


def _has_sets(figure: FigureSpec, run: Run) -> None:
    """Every evaluation set that is scored exists."""
    sets = run.spec.problem.evaluation_sets
    for request in figure.requests:
        if request.evaluation_set not in sets:
            raise ValueError(f"evaluation_set: {unknown('evaluation_set', request.evaluation_set, sets)} (of {run.id})")


def _each_once(shown: dict[str, list[Run]]) -> list[Run]:
    return list({run.id: run for run in chain.from_iterable(shown.values())}.values())


def _planned(figure: FigureSpec, run: Run) -> PlannedRun:
    return PlannedRun(
        key=run.key,
        comparable=run.comparable,
        seeds_planned=len(seeds_shown(figure, run)),
        sets={name: run.spec.problem.set_key(name) for name in figure.coded_sets},
    )


def _other_settings(experiment: Experiment, name: str) -> list[str]:
    """What the scale changes in the figure itself, a line each."""
    written, here = (content(figures[name]) for figures in (experiment.config.figures, experiment.figures))
    return list(_changes(written, here))


def _changes(written: Any, here: Any, place: str = "") -> Iterator[str]:
    """Values that differ between two nested mappings, with their dotted place."""
    if isinstance(written, dict) and isinstance(here, dict):
        for name in written | here:
            yield from _changes(written.get(name), here.get(name), f"{place}.{name}" if place else name)
    elif written != here:
        yield f"{place}: {written} → {here}"


def _coarser_grids(experiment: Experiment, figure: FigureSpec) -> list[str]:
    """How many points a scale leaves of each sweep, a line each."""
    lines = []
    for sweep in dict.fromkeys(figure.sweeps_named.values()):
        written, here = (
            len(list(product(*sweeps[sweep].vary.values())))
            for sweeps in (experiment.config.sweeps, experiment.sweeps)
        )
        if written != here:
            lines.append(f"points of {sweep}: {written} → {here}")
    return lines
