"""Results that the current configuration does not name: of older settings or code, or of another configuration."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from demix.experiment.experiment import Experiment
from demix.experiment.keys import SHORT
from demix.support.processes import is_alive
from demix.training.status import FILE
from demix.workflow import paths
from demix.workflow.states import read_record


@dataclass(frozen=True)
class Stale:
    """A folder or file of results that no current run names.

    Args:
        path: relative to the working folder.
        run: id of the run it is of, empty for data.
        known: the configuration has that run, with another key; or it is data, which belongs to no run by name.
        running: a process trains there.
    """

    path: Path
    run: str
    known: bool
    running: bool

    @property
    def size(self) -> int:
        """In bytes."""
        files = [self.path] if self.path.is_file() else self.path.rglob("*")
        return sum(file.stat().st_size for file in files if file.is_file())

    @property
    def reason(self) -> str:
        """Why it is stale, in words."""
        if self.running:
            return "still training"
        if not self.run:
            return "no run of any scale uses it"
        return "its run has another key now" if self.known else "no run of this name in this configuration"


def stale_results(experiment: Experiment) -> list[Stale]:
    """Folders of runs and files of scores of this scale that none of its runs has, and data that no scale uses.

    Data in a place of its own, DEMIX_DATA, is left out: others may use it.
    """
    current = {paths.run_name(run) for run in experiment.runs.values()}
    results = paths.scale_folder(experiment)
    found = sorted([*results.glob("runs/*"), *results.glob("raw/*"), *results.glob("scores/*.parquet")])
    stale = [_stale(experiment, path) for path in found if path.name.removesuffix(".parquet") not in current]
    in_use = {home.relative_to(paths.data_root()) for scale in experiment.all_scales() for home in _data_homes(scale)}
    kinds = sorted({home.parent for home in in_use})
    data = [path for kind in kinds for path in sorted((paths.OWN_DATA / kind).glob("*")) if path.is_dir()]
    return stale + [Stale(path, "", True, False) for path in data if path.relative_to(paths.OWN_DATA) not in in_use]


def _data_homes(experiment: Experiment) -> set[Path]:
    """Folders of the data of all runs, of images for figures, and of the environment that they are rendered in."""
    homes = {paths.data_home(run) for run in experiment.runs.values()}
    rendered = (figure.rendered for figure in experiment.figures.values())
    return homes | {paths.dataset_folder(spec) for spec in rendered if spec} | {paths.renderer_card().parent}


def older_runs(experiment: Experiment) -> set[str]:
    """Ids of runs that have trained results with another key than the current one."""
    folders = paths.scale_folder(experiment).glob("runs/*")
    names = {path.name for path in folders}
    return {_id_of(name) for name in names - {paths.run_name(run) for run in experiment.runs.values()}}


def prune(stale: Stale) -> None:
    """Delete stale results, unless a process works there."""
    if stale.running:
        return
    if stale.path.is_dir():
        shutil.rmtree(stale.path)
    else:
        stale.path.unlink()


def _stale(experiment: Experiment, path: Path) -> Stale:
    run = _id_of(path.name.removesuffix(".parquet"))
    return Stale(path, run, run in experiment.runs, _running(path))


def _running(folder: Path) -> bool:
    for status in folder.glob(f"seed*/checkpoint/{FILE}"):
        record = read_record(status)
        if record and record["state"] == "running" and is_alive(record, status.stat().st_mtime):
            return True
    return False


def _id_of(name: str) -> str:
    return name[: -SHORT - 1]
