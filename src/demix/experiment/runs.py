"""All runs at a scale: specs, seeds, and which points of sweeps are the same run."""

from collections.abc import Iterable, Mapping

from demix.experiment.changes import matching
from demix.experiment.resolving import Sweeps, changes_of, resolve, united
from demix.experiment.run import Run
from demix.specs.run import RunSpec
from demix.specs.workflow import WorkflowSpec
from demix.support.errors import ConfigError
from demix.support.named import Named


class Runs(Named[Run]):
    """Runs by their id, in written order. Asking for another name of a run gives it too.

    Args:
        content: the runs.
        other_names: to their id: `suite/id`, and points of sweeps that are the same run as another.
    """

    def __init__(self, content: dict[str, Run], other_names: Mapping[str, str]):
        super().__init__("run", content)
        self.other_names = other_names

    def __missing__(self, name: str) -> Run:
        return self[self.other_names[name]] if name in self.other_names else super().__missing__(name)


def resolved_runs(config: WorkflowSpec, published_scale: str, sweeps: Sweeps) -> tuple[Runs, Named[list[str]]]:
    """All runs at the scale of the configuration, and the ids of each sweep's, by `name` and by `suite/name`.

    Args:
        config: the configuration.
        published_scale: the one that has the published settings.
        sweeps: by suite and name, at the scale of the configuration.

    Raises:
        ConfigError: one line for each thing that is wrong with the first entry that is.
    """
    scales = dict.fromkeys((config.scale, published_scale))
    by_scale = {scale: resolve(config, scale, sweeps) for scale in scales}
    here, published = by_scale[config.scale], united(by_scale[published_scale])
    suites = {run: suite for suite, runs in here.items() for run in runs}
    specs = united(here)
    same = same_runs(specs, suites)
    seeds, published_seeds = (_seeds(config, scale, here, same) for scale in (config.scale, published_scale))
    runs = {
        run: Run(run, spec, published[run], range(config.seeds or seeds[run]), published_seeds[run], suites[run])
        for run, spec in specs.items()
        if run not in same
    }
    other_names = same | {f"{suite}/{run}": same.get(run, run) for run, suite in suites.items()}
    return Runs(runs, other_names), _points(sweeps, specs, same)


def same_runs(specs: Mapping[str, RunSpec], suites: Mapping[str, str]) -> dict[str, str]:
    """Points of sweeps that are the same run as another one, to the id of that.

    Args:
        specs: resolved, by run id.
        suites: of the runs.

    Raises:
        ConfigError: two runs of their own, or two points of one sweep, have equal specs.
    """
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for run in sorted(specs, key=lambda run: sweep_of(run) is not None):
        other = first.setdefault(specs[run].model_dump_json(), run)
        if other == run:
            continue
        sweep = sweep_of(run)
        if sweep == sweep_of(other):
            place = f"suites.{suites[run]}.{'sweeps' if sweep else 'runs'}.{run}"
            raise ConfigError(f"{place}: resolves to the same spec as run '{other}'; use that one instead")
        found[run] = other
    return found


def sweep_of(run: str) -> str | None:
    """The sweep of which a run id is a point; None for a run of its own."""
    sweep, at, _ = run.partition("@")
    return sweep if at else None


def _points(sweeps: Sweeps, runs: Iterable[str], same: Mapping[str, str]) -> Named[list[str]]:
    ids: dict[str, list[str]] = {name: [] for name in united(sweeps)}
    for run in runs:
        sweep = sweep_of(run)
        if sweep is not None:
            ids[sweep].append(same.get(run, run))
    whole_names = {f"{suite}/{name}": ids[name] for suite, entries in sweeps.items() for name in entries}
    return Named("sweep", ids | whole_names)


def _seeds(
    config: WorkflowSpec, scale: str, runs: Mapping[str, Iterable[str]], same: Mapping[str, str]
) -> dict[str, int]:
    """Number of seeds of every run at a scale; of ids that are the same run, the largest."""
    counts: dict[str, int] = {}
    for name, suite in config.suites.items():
        changes = changes_of(suite, scale)
        counts |= dict.fromkeys(runs[name], changes.seeds or config.scales[scale].seeds)
        for pattern, count in changes.seeds_of.items():
            where = f"suites.{name}.scales.{scale}.seeds_of"
            counts |= dict.fromkeys(matching(runs[name], pattern, where), count)
    for run, other in same.items():
        counts[other] = max(counts[other], counts[run])
    return counts
