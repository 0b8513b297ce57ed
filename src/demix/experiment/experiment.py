"""The configuration at one scale: resolved runs with their keys, tables and figures."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from demix.experiment.reading import read_config
from demix.experiment.resolving import at_scale, datasets_of, united
from demix.experiment.run import Run
from demix.experiment.runs import resolved_runs
from demix.experiment.sources import refuse_unknown, source_of
from demix.experiment.tables import tables_of
from demix.specs.base import parse
from demix.specs.datasets import DatasetSpec
from demix.specs.figures.kinds import FigureSpec
from demix.specs.scale import ScaleSpec
from demix.specs.sources import SourceSpec
from demix.specs.sweep import SweepSpec
from demix.specs.table import TableSpec
from demix.specs.workflow import WorkflowSpec
from demix.support.errors import ConfigError, unknown
from demix.support.named import Named

PUBLISHED_SCALE = "paper"


class Experiment:
    """The configuration at one scale.

    Args:
        config: content of the configuration files with that of the files of suites, as `read_config` has it.

    Attributes:
        runs: by id, those of sweeps among them; see `Runs`.
        sweeps, published_sweeps: by name, at this scale and at the published settings.
        figures, published_figures: likewise.
        tables: by name, their rows with all their runs.

    Raises:
        ConfigError: one line for each thing that is wrong with the first entry that is.
    """

    def __init__(self, config: Mapping[str, Any]):
        self.config = parse(WorkflowSpec, dict(config), "config")
        self.scale_name = self.config.scale
        for name in (self.scale_name, PUBLISHED_SCALE):
            if name not in self.config.scales:
                raise ConfigError(f"scale: {unknown('scale', name, self.config.scales)}")
        self._refuse_unknown_sources(dict(config).get("datasets") or {})
        self.scale: ScaleSpec = self.config.scales[self.scale_name]
        self.device = self.config.device or self.scale.device
        sweeps = at_scale(self.config, self.scale_name, "sweeps")
        self.sweeps: dict[str, SweepSpec] = united(sweeps)
        self.published_sweeps: dict[str, SweepSpec] = united(at_scale(self.config, PUBLISHED_SCALE, "sweeps"))
        figures = at_scale(self.config, self.scale_name, "figures")
        self.figures: dict[str, FigureSpec] = Named("figure", united(figures))
        self.published_figures: dict[str, FigureSpec] = united(at_scale(self.config, PUBLISHED_SCALE, "figures"))
        self.runs, self._points = resolved_runs(self.config, PUBLISHED_SCALE, sweeps)
        self.tables: dict[str, TableSpec] = Named("table", tables_of(self.config.suites, self.runs))

    @property
    def seeds(self) -> range:
        """The seeds that any run has."""
        return max((run.seeds for run in self.runs.values()), key=len, default=range(0))

    def all_scales(self) -> Iterator["Experiment"]:
        """The same configuration at every scale."""
        content = self.config.model_dump(exclude_unset=True)
        return (Experiment(content | {"scale": name}) for name in self.config.scales)

    def table(self, name: str) -> TableSpec:
        """A table.

        Raises:
            ConfigError: there is none of that name.
        """
        return self.tables[name]

    def figure(self, name: str) -> FigureSpec:
        """A figure.

        Raises:
            ConfigError: there is none of that name.
        """
        return self.figures[name]

    def refuse_names(self, rules: Iterable[str]) -> None:
        """Check that no table and no figure, each of which is a target, has the name of a rule.

        Args:
            rules: names of the rules of the workflow, those of tables and figures apart.

        Raises:
            ConfigError: one has.
        """
        taken = set(rules)
        for suite, content in self.config.suites.items():
            places = {name: f"tables.{name}" for name in content.tables}
            places |= {name: f"figures.{name}" for name in content.figures}
            for name in sorted(taken & places.keys()):
                where = f"suites.{suite}.{places[name]}"
                raise ConfigError(f"{where}: '{name}' is a rule of the workflow, a table or figure needs another name")

    @property
    def datasets(self) -> dict[str, SourceSpec]:
        """Where data sets come from, as far as the configuration says."""
        return self.config.datasets

    def source_of(self, dataset: DatasetSpec) -> SourceSpec:
        """Where a data set comes from.

        Raises:
            ConfigError: it cannot come from there.
        """
        return source_of(dataset, self.datasets)

    def sweep_runs(self, sweep: str) -> list[Run]:
        """The runs of a sweep in the order of its values.

        Args:
            sweep: its name, or `suite/name`.

        Raises:
            ConfigError: there is none of that name.
        """
        return [self.runs[run] for run in self._points[sweep]]

    def runs_of(self, table: str) -> list[Run]:
        """The runs of a table in the order of its rows, each once."""
        ids = (run for settings in self.table(table).rows.values() for run in settings.values())
        return [self.runs[run] for run in dict.fromkeys(ids)]

    def _refuse_unknown_sources(self, entries: Mapping[str, Any]) -> None:
        """Entries of `datasets` that no data set has as its source, at any scale, unless they say of what kind they
        are: then they may wait for a suite that is not there."""
        unsure = [name for name, entry in entries.items() if isinstance(entry, Mapping) and "kind" not in entry]
        scales = self.config.scales
        refuse_unknown(unsure, (dataset for scale in scales for dataset in datasets_of(self.config, scale)))


def load_experiment(*files: Path, **overrides: Any) -> Experiment:
    """The experiment of configuration files, outside Snakemake.

    Args:
        files: later ones are laid over earlier ones, mapping by mapping.
        overrides: top-level keys such as scale and seeds; None leaves a key as it is.

    Raises:
        ConfigError: a file is missing or no YAML mapping, or the configuration is not valid.
    """
    config = read_config(*files)
    return Experiment(config | {key: value for key, value in overrides.items() if value is not None})
