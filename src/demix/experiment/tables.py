"""The tables of all suites, with the names of runs in their rows resolved."""

from collections.abc import Mapping

from demix.experiment.references import look_up
from demix.experiment.runs import Runs
from demix.specs.suite import SuiteSpec
from demix.specs.table import BASELINES, Cells, TableSpec
from demix.support.errors import ConfigError, unknown


def tables_of(suites: Mapping[str, SuiteSpec], runs: Runs) -> dict[str, TableSpec]:
    """Tables by name: every row with all its runs by their id.

    Raises:
        ConfigError: a row names baselines or a run that do not exist.
    """
    baselines = {name: suite.baselines for name, suite in suites.items()}
    found = {}
    for suite, content in suites.items():
        for name, table in content.tables.items():
            where = f"suites.{suite}.tables.{name}.rows"
            rows = {row: _whole(cells, baselines, suite, f"{where}.{row}") for row, cells in table.rows.items()}
            ids = {row: _ids(cells, runs, f"{where}.{row}") for row, cells in rows.items()}
            found[name] = table.model_copy(update={"rows": ids})
    return found


def _whole(cells: Cells, baselines: Mapping[str, Mapping[str, Cells]], suite: str, where: str) -> Cells:
    """A row with the runs of the baselines that it names, which come first."""
    if BASELINES not in cells:
        return cells
    shared = look_up("entry of baselines", cells[BASELINES], suite, baselines, f"{where}.{BASELINES}")
    return shared | {setting: run for setting, run in cells.items() if setting != BASELINES}


def _ids(cells: Cells, runs: Runs, where: str) -> Cells:
    for setting, run in cells.items():
        if run not in runs and run not in runs.other_names:
            raise ConfigError(f"{where}.{setting}: {unknown('run', run, runs)}")
    return {setting: runs[run].id for setting, run in cells.items()}
