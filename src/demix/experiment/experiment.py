"""From the configuration to resolved runs: names looked up, the scale's changes applied, keys attached."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from demix.experiment.keys import result_key
from demix.experiment.sweeps import expand
from demix.specs.base import Spec, parse
from demix.specs.datasets import DatasetSpec
from demix.specs.families import member
from demix.specs.figures.kinds import FigureSpec
from demix.specs.model import ModelSpec
from demix.specs.problems import ProblemSpec
from demix.specs.run import RunSpec
from demix.specs.sources import SourceSpec
from demix.specs.training import TrainingSpec
from demix.specs.workflow import Patches, RunNamesSpec, ScaleSpec, TableSpec, WorkflowSpec
from demix.support.errors import ConfigError, Named, unknown

PUBLISHED_SCALE = "paper"
TRAINING_MODULES = ("demix.training.trainee", "demix.support.building", "demix.support.randomness")
RAW_MODULES = ("demix.problems.common.raw", "demix.support.building", "demix.support.randomness")
S = TypeVar("S", bound=Spec)


@dataclass(frozen=True)
class Run:
    """A resolved run.

    Args:
        id: as written in the configuration.
        spec: all that decides its result, seeds apart.
        published: the same at the published settings.
        seeds: those that the scale asks for.
        published_seeds: number of seeds at the published settings.
    """

    id: str
    spec: RunSpec
    published: RunSpec
    seeds: range = range(1)
    published_seeds: int = 1

    @cached_property
    def key(self) -> str:
        """Key of its results."""
        if self.is_raw and self.has_own_data:
            return self.data_key
        if self.is_raw:
            return result_key(self.spec, *RAW_MODULES)
        return result_key(self.spec, *TRAINING_MODULES, evaluation=False)

    @cached_property
    def data_key(self) -> str:
        """Key of its data, such as mixing network and evaluation latents, which the conditional does not touch."""
        return result_key(self.spec.problem.data_spec)

    @property
    def has_own_data(self) -> bool:
        """Every seed has data of its own, made here; image data sets are shared by all seeds."""
        return self.spec.problem.has_own_data

    @property
    def is_raw(self) -> bool:
        """The raw observations are scored; nothing is trained."""
        return self.spec.model is None

    @property
    def comparable(self) -> bool:
        """Its problem is the published one, so its scores may be held against the printed ones."""
        return self.spec.problem == self.published.problem


class Experiment:
    """The configuration at one scale.

    Args:
        config: the parsed content of the configuration file, with whatever was overridden.

    Raises:
        ConfigError: one line for each thing that is wrong with the first entry that is.
    """

    def __init__(self, config: Mapping[str, Any]):
        self.config = parse(WorkflowSpec, dict(config), "config")
        self.scale_name = self.config.scale
        for name in (self.scale_name, PUBLISHED_SCALE):
            if name not in self.config.scales:
                raise ConfigError(f"scale: {unknown('scale', name, self.config.scales)}")
        self.scale: ScaleSpec = self.config.scales[self.scale_name]
        self.device = self.config.device or self.scale.device
        self.sweeps = _apply(self.config.sweeps, self.scale.sweeps, "sweeps", self.scale_name)
        self.figures = Named("figure", _apply(self.config.figures, self.scale.figures, "figures", self.scale_name))
        here, published = (self._resolve(name) for name in (self.scale_name, PUBLISHED_SCALE))
        seeds, published_seeds = (self._seeds(name, here) for name in (self.scale_name, PUBLISHED_SCALE))
        self.runs = {
            name: Run(name, here[name], published[name], range(self.config.seeds or seeds[name]), published_seeds[name])
            for name in here
        }
        self._refuse_equal_runs()
        self._refuse_unknown_runs()

    @property
    def seeds(self) -> range:
        """The seeds that any run has."""
        return max((run.seeds for run in self.runs.values()), key=len, default=range(0))

    def all_scales(self) -> Iterator["Experiment"]:
        """The same configuration at every scale."""
        content = self.config.model_dump(exclude_unset=True)
        return (Experiment(content | {"scale": name}) for name in self.config.scales)

    @property
    def tables(self) -> dict[str, TableSpec]:
        """All tables by name."""
        return self.config.tables

    def table(self, name: str) -> TableSpec:
        """A table.

        Raises:
            ConfigError: there is none of that name.
        """
        if name not in self.tables:
            raise ConfigError(unknown("table", name, self.tables))
        return self.tables[name]

    @property
    def datasets(self) -> dict[str, SourceSpec]:
        """Where external data comes from."""
        return self.config.datasets

    def figure(self, name: str) -> FigureSpec:
        """A figure.

        Raises:
            ConfigError: there is none of that name.
        """
        return self.figures[name]

    def sweep_runs(self, sweep: str) -> list[Run]:
        """The runs of a sweep in the order of its values."""
        return [run for name, run in self.runs.items() if name.split("@")[0] == sweep and name != sweep]

    def runs_of(self, table: str) -> list[Run]:
        """The runs of a table in the order of its rows, each once."""
        ids = (run for settings in self.table(table).rows.values() for run in settings.values())
        return [self.runs[run] for run in dict.fromkeys(ids)]

    def _seeds(self, scale_name: str, runs: Iterable[str]) -> dict[str, int]:
        """Number of seeds of every run at a scale."""
        scale = self.config.scales[scale_name]
        counts = dict.fromkeys(runs, scale.seeds)
        for pattern, count in scale.seeds_of.items():
            counts |= dict.fromkeys(_matching(counts, pattern, f"scales.{scale_name}.seeds_of"), count)
        return counts

    def _resolve(self, scale_name: str) -> dict[str, RunSpec]:
        scale = self.config.scales[scale_name]
        classes = {
            "problems": _problem_class,
            "models": lambda entry, where: ModelSpec,
            "trainings": lambda entry, where: TrainingSpec,
        }
        parts = {
            kind: _patched(class_of, getattr(self.config, kind), getattr(scale, kind), kind, scale_name)
            for kind, class_of in classes.items()
        }
        parts["problems"] = {name: self._from_its_source(problem) for name, problem in parts["problems"].items()}
        runs = {name: self._look_up(run, parts, f"runs.{name}") for name, run in self.config.runs.items()}
        for name, sweep in self.sweeps.items():
            runs |= expand(name, sweep, self._look_up(sweep, parts, f"sweeps.{name}"))
        return _apply(runs, scale.runs, "runs", scale_name)

    def _from_its_source(self, problem: ProblemSpec) -> ProblemSpec:
        """The problem with the data set that its source in `datasets` chooses."""
        if problem.dataset is None or not problem.dataset.source:
            return problem
        return problem.model_copy(update={"data": self.source_of(problem.dataset).chosen(problem.dataset)})

    def source_of(self, dataset: DatasetSpec) -> SourceSpec:
        """Where a data set that has a source comes from."""
        return self.datasets[dataset.source]

    def _look_up(self, run: RunNamesSpec, parts: dict[str, dict[str, Any]], where: str) -> RunSpec:
        """Put a run together from the parts it names."""
        found = {}
        for kind in ("problem", "model", "training"):
            name = getattr(run, kind)
            if name is not None and name not in parts[f"{kind}s"]:
                raise ConfigError(f"{where}.{kind}: {unknown(kind, name, parts[f'{kind}s'])}")
            found[kind] = None if name is None else parts[f"{kind}s"][name]
        return parse(RunSpec, found, where)

    def _refuse_equal_runs(self) -> None:
        seen: dict[str, str] = {}
        for run in self.runs.values():
            first = seen.setdefault(run.spec.model_dump_json(), run.id)
            if first != run.id:
                raise ConfigError(f"runs.{run.id}: resolves to the same spec as run '{first}'; use that one instead")

    def _refuse_unknown_runs(self) -> None:
        for name, table in self.tables.items():
            for row, settings in table.rows.items():
                for setting, run in settings.items():
                    if run not in self.runs:
                        raise ConfigError(f"tables.{name}.rows.{row}.{setting}: {unknown('run', run, self.runs)}")


def _problem_class(entry: Any, where: str) -> type[Spec]:
    """The spec class of a problem that the configuration gives as plain data; without a kind it is synthetic.

    Raises:
        ConfigError: there is no such kind.
    """
    kind = entry.get("kind", "synthetic") if isinstance(entry, dict) else "synthetic"
    try:
        return member("problems", kind)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None


def _patched(
    class_of: Callable[[Any, str], type[Spec]], entries: Mapping[str, Any], patches: Patches, kind: str, scale: str
) -> dict[str, Spec]:
    """Validate the entries of one mapping, each with its own class, then apply the scale's changes to them."""
    places = {name: f"{kind}.{name}" for name in entries}
    parsed = {name: parse(class_of(entry, places[name]), entry, places[name]) for name, entry in entries.items()}
    return _apply(parsed, patches, kind, scale)


def _apply(entries: Mapping[str, S], patches: Patches, kind: str, scale: str) -> dict[str, S]:
    """Change entries whose name matches a pattern; a pattern that matches nothing is a mistake."""
    changed = dict(entries)
    for pattern, patch in patches.items():
        for name in _matching(entries, pattern, f"scales.{scale}.{kind}"):
            merged = _merge(changed[name].model_dump(mode="json"), patch)
            changed[name] = parse(type(changed[name]), merged, f"scales.{scale}.{kind}.{pattern} (for {name})")
    return changed


def _matching(names: Iterable[str], pattern: str, where: str) -> list[str]:
    """The names that a pattern such as "box-*", or "* !box-* !sph-*", matches.

    Raises:
        ConfigError: there is none.
    """
    wanted, *excluded = pattern.split(" !")
    found = [
        name for name in names if fnmatchcase(name, wanted) and not any(fnmatchcase(name, other) for other in excluded)
    ]
    if not found:
        raise ConfigError(f"{where}: {unknown('name or pattern', pattern, names)}")
    return found


def _merge(base: Any, patch: Any) -> Any:
    """`patch` laid over `base`, mapping by mapping; a mapping of another kind replaces the old one."""
    if not isinstance(base, dict) or not isinstance(patch, dict):
        return patch
    if "kind" in patch and patch["kind"] != base.get("kind"):
        return patch
    return base | {key: _merge(base.get(key), value) for key, value in patch.items()}


def _overlay(base: Any, patch: Any) -> Any:
    """`patch` laid over `base`, mapping by mapping, as Snakemake does with several configuration files."""
    if not isinstance(base, dict) or not isinstance(patch, dict):
        return patch
    return base | {key: _overlay(base.get(key), value) for key, value in patch.items()}


def load_experiment(*files: Path, **overrides: Any) -> Experiment:
    """The experiment of configuration files, outside Snakemake.

    Args:
        files: later ones are laid over earlier ones, mapping by mapping.
        overrides: top-level keys such as scale and seeds; None leaves a key as it is.

    Raises:
        ConfigError: a file is missing or no YAML mapping, or the configuration is not valid.
    """
    config: dict[str, Any] = {}
    for file in files:
        config = _overlay(config, _read(file))
    return Experiment(config | {key: value for key, value in overrides.items() if value is not None})


def in_written_order(base: Path, config: Mapping[str, Any]) -> dict[str, Any]:
    """Snakemake's merged configuration with the entries of the base file first, as `load_experiment` has them.

    Snakemake puts the entries of a --configfile before those of the file that they extend; but rows are printed in
    order, and of two changes to one entry the later one wins.
    """
    return _overlay(_read(base), dict(config))


def _read(file: Path) -> dict[str, Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # five times as fast, where yaml was built with it
    try:
        content = yaml.load(file.read_text(), Loader=loader)
    except (OSError, yaml.YAMLError) as error:
        raise ConfigError(f"{file}: not readable as YAML ({str(error).splitlines()[0]})") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{file}: must hold a mapping")
    return content
