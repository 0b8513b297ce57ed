"""Resolving runs: the names of problem, model and training that a run has in the configuration become their specs."""

from collections.abc import Mapping
from typing import Any, TypeVar

from demix.experiment.changes import changed
from demix.experiment.references import look_up
from demix.experiment.sources import Sources, chosen
from demix.experiment.sweeps import expand
from demix.specs.base import Spec, parse
from demix.specs.datasets import DatasetSpec
from demix.specs.families import member
from demix.specs.model import ModelSpec
from demix.specs.problems import ProblemSpec
from demix.specs.run import RunSpec
from demix.specs.run_names import RunNamesSpec
from demix.specs.scale import ScaleOfSuiteSpec
from demix.specs.suite import SuiteSpec
from demix.specs.sweep import SweepSpec
from demix.specs.training import TrainingSpec
from demix.specs.workflow import WorkflowSpec
from demix.support.errors import ConfigError

Value = TypeVar("Value")
Sweeps = Mapping[str, Mapping[str, SweepSpec]]
"""Sweeps by suite and name."""

UNCHANGED = ScaleOfSuiteSpec()


def changes_of(suite: SuiteSpec, scale: str) -> ScaleOfSuiteSpec:
    """What a scale changes in a suite."""
    return suite.scales.get(scale, UNCHANGED)


def resolve(config: WorkflowSpec, scale: str, sweeps: Sweeps) -> dict[str, dict[str, RunSpec]]:
    """The runs by suite and id, those of sweeps last.

    Args:
        config: the configuration.
        scale: name of a scale.
        sweeps: with their grids, which may be those of another scale.

    Raises:
        ConfigError: one line for each thing that is wrong with the first entry that is.
    """
    parts = _parts(config, scale)
    found = {}
    for name, suite in config.suites.items():
        where = f"suites.{name}"
        runs = {run: _put_together(names, parts, name, f"{where}.runs.{run}") for run, names in suite.runs.items()}
        for sweep, spec in sweeps[name].items():
            place = f"{where}.sweeps.{sweep}"
            runs |= expand(sweep, spec, _put_together(spec, parts, name, place), place)
        found[name] = changed(runs, changes_of(suite, scale).runs, f"{where}.scales.{scale}.runs")
    return found


def from_its_source(problem: ProblemSpec, sources: Sources) -> ProblemSpec:
    """The problem with the data set that its source in `datasets` chooses.

    Raises:
        ConfigError: the data set cannot come from there.
    """
    if problem.dataset is None:
        return problem
    found = chosen(problem.dataset, sources)
    return problem if found is problem.dataset else problem.model_copy(update={"data": found})


def datasets_of(config: WorkflowSpec, scale: str) -> list[DatasetSpec]:
    """The data sets of all problems and figures at a scale.

    Raises:
        ConfigError: a problem is not valid.
    """
    problems = united(_parts(config, scale)["problems"]).values()
    figures = united(at_scale(config, scale, "figures")).values()
    found = [*(problem.dataset for problem in problems), *(figure.rendered for figure in figures)]
    return [dataset for dataset in found if dataset is not None]


def at_scale(config: WorkflowSpec, scale: str, kind: str) -> dict[str, dict[str, Any]]:
    """Sweeps or figures by suite and name, as a scale has them.

    Args:
        kind: "sweeps" or "figures".

    Raises:
        ConfigError: what the scale changes does not exist or is not valid.
    """
    return {
        name: changed(
            getattr(suite, kind), getattr(changes_of(suite, scale), kind), f"suites.{name}.scales.{scale}.{kind}"
        )
        for name, suite in config.suites.items()
    }


def united(by_suite: Mapping[str, Mapping[str, Value]]) -> dict[str, Value]:
    """The entries of all suites by name, which is unique."""
    return {name: entry for entries in by_suite.values() for name, entry in entries.items()}


Parts = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Problems, models and trainings by kind, suite and name."""


def _parts(config: WorkflowSpec, scale: str) -> Parts:
    parts: dict[str, dict[str, dict[str, Any]]] = {"problems": {}, "models": {}, "trainings": {}}
    for name, suite in config.suites.items():
        changes = changes_of(suite, scale)
        for kind, by_suite in parts.items():
            parsed = _parsed(getattr(suite, kind), kind, f"suites.{name}.{kind}")
            by_suite[name] = changed(parsed, getattr(changes, kind), f"suites.{name}.scales.{scale}.{kind}")
        problems = parts["problems"][name]
        parts["problems"][name] = {key: from_its_source(spec, config.datasets) for key, spec in problems.items()}
    return parts


def _parsed(entries: Mapping[str, Any], kind: str, where: str) -> dict[str, Spec]:
    """Validate the entries of one mapping, each with its own class."""
    found = {}
    for name, entry in entries.items():
        place = f"{where}.{name}"
        found[name] = parse(_class_of(kind, entry, place), entry, place)
    return found


def _class_of(kind: str, entry: Mapping[str, Any], where: str) -> type[Spec]:
    """The spec class of an entry; a problem without a kind is synthetic.

    Raises:
        ConfigError: there is no such kind of problem.
    """
    if kind != "problems":
        return ModelSpec if kind == "models" else TrainingSpec
    try:
        return member("problems", entry.get("kind", "synthetic"))
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None


def _put_together(names: RunNamesSpec, parts: Parts, suite: str, where: str) -> RunSpec:
    """Put a run together from the parts it names."""
    found = {}
    for part in ("problem", "model", "training"):
        name = getattr(names, part)
        found[part] = None if name is None else look_up(part, name, suite, parts[f"{part}s"], f"{where}.{part}")
    return parse(RunSpec, found, where)
