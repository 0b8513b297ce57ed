"""Where results lie, relative to the working folder. No other module of demix builds these paths."""

import os
from pathlib import Path

from demix.datasets.common.card import CARD
from demix.experiment.experiment import Experiment
from demix.experiment.keys import SHORT, result_key
from demix.experiment.run import Run
from demix.specs.base import Component
from demix.specs.datasets import DatasetSpec, FileSpec
from demix.specs.datasets.renderer import RendererSpec
from demix.support.codes import set_file

TABLE_FORMATS = ("md", "tex", "html", "csv", "txt")
FIGURE_FORMATS = ("pdf", "png", "svg", "md")
OWN_DATA = Path("results/data")


def data_root() -> Path:
    """Folder of the data sets, shared by all scales; DEMIX_DATA names another one."""
    return Path(os.environ.get("DEMIX_DATA", OWN_DATA))


def data_name(run: Run) -> str:
    """Name of the folder of a run's data: the start of its key, and for a synthetic problem what it is."""
    return "-".join(filter(None, [run.spec.problem.data_label, run.data_key[:SHORT]]))


def data_home(run: Run) -> Path:
    """All data of a run, whatever the seed."""
    return data_root() / kind_folder(run.spec.problem.data_spec) / data_name(run)


def data_folder(run: Run, seed: int) -> Path:
    """Data of a run for one seed: card.json and what belongs to it. All seeds share an image data set."""
    return data_home(run) / f"seed{seed}" if run.has_own_data else data_home(run)


def kind_folder(spec: Component) -> str:
    """Name of the folder of all data of a kind: the kind, "module.Class" for one of the user's own."""
    return spec.kind.replace(":", ".")


def dataset_name(spec: DatasetSpec) -> str:
    """Name of the folder of a data set: the start of its key."""
    return result_key(spec)[:SHORT]


def dataset_folder(spec: DatasetSpec) -> Path:
    """Everything of a data set, or of images that are rendered for a figure."""
    return data_root() / kind_folder(spec) / dataset_name(spec)


def dataset_card(spec: DatasetSpec) -> Path:
    """Card of a data set."""
    return dataset_folder(spec) / CARD


def renderer_card() -> Path:
    """Card of the environment that images are rendered in."""
    return dataset_card(RendererSpec())


def shard_file(spec: DatasetSpec, shard: str) -> Path:
    """A shard of rendered images, by its name."""
    return dataset_folder(spec) / "rendering" / f"{shard}.parquet"


def source_name(spec: DatasetSpec) -> str:
    """Name of the folder of the files that are fetched for a data set."""
    return spec.source_name.replace(":", ".")


def fetched_file(source: str, file: FileSpec) -> Path:
    """A file that is fetched for a data set, by the name of its source."""
    return data_root() / "files" / source / file.name


def fetched_name(file: FileSpec) -> str:
    """Name of the folder of the card of a file that is fetched: with another checksum it is another file."""
    return f"{file.name}-{(file.sha256 or file.md5 or 'any')[:SHORT]}"


def fetched_card(source: str, file: FileSpec) -> Path:
    """Card of a file that is fetched, beside it."""
    return data_root() / "files" / source / fetched_name(file) / CARD


def data_log_file(run: Run, seed: int) -> Path:
    """Log of the step that makes a run's data for one seed."""
    kind, name = kind_folder(run.spec.problem.data_spec), data_name(run)
    if run.has_own_data:
        return Path("results/logs/synthetic_problem") / kind / name / f"seed{seed}.log"
    return Path("results/logs/obtain_data") / f"{kind}-{name}.log"


def scale_folder(experiment: Experiment) -> Path:
    """All results of a scale."""
    return Path("results") / experiment.scale_name


def run_name(run: Run) -> str:
    """Name of a run's folder: its id and the start of its key."""
    return f"{run.id}-{run.key[:SHORT]}"


def seed_folder(experiment: Experiment, run: Run, seed: int) -> Path:
    """Codes and provenance of a run for one seed; those of raw observations lie with the data if it is of one seed."""
    if run.is_raw and run.has_own_data:
        return data_folder(run, seed)
    return scale_folder(experiment) / ("raw" if run.is_raw else "runs") / run_name(run) / f"seed{seed}"


def log_file(experiment: Experiment, run: Run, seed: int) -> Path:
    """Log of the step that makes a run's codes for one seed."""
    if run.is_raw and run.has_own_data:
        return data_log_file(run, seed)
    step = "encode" if run.is_raw else "train"
    return scale_folder(experiment) / "logs" / step / run_name(run) / f"seed{seed}.log"


def later_set(experiment: Experiment, run: Run, seed: int, name: str) -> Path:
    """Codes of an evaluation set that a finished training does not have, or has otherwise."""
    return seed_folder(experiment, run, seed) / set_file(name, run.spec.problem.set_key(name))


def scores_file(experiment: Experiment, run: Run) -> Path:
    """Scores of a run, all seeds."""
    return scale_folder(experiment) / "scores" / f"{run_name(run)}.parquet"


def score_values(experiment: Experiment) -> Path:
    """Folder of values of scores, each by what it is computed of; shared by all runs."""
    return scale_folder(experiment) / "scores" / "values"


def claims_beside(table: Path) -> Path:
    """The judged claims that belong to a table's parquet file."""
    return table.with_suffix(".claims.parquet")


def table_file(experiment: Experiment, table: str, ending: str) -> Path:
    """A table in one of its formats, such as "parquet" or "md"."""
    return scale_folder(experiment) / "tables" / f"{table}.{ending}"


def figure_file(experiment: Experiment, figure: str, ending: str) -> Path:
    """A figure in one of its formats, such as "png" or "md"."""
    return scale_folder(experiment) / "figures" / f"{figure}.{ending}"


def figure_data_file(experiment: Experiment, figure: str) -> Path:
    """The data of a figure, in the folder that its kind names; its claims lie beside it."""
    return scale_folder(experiment) / experiment.figure(figure).folder / f"{figure}.parquet"


def report_file(experiment: Experiment) -> Path:
    """Every table and figure of a scale on one page."""
    return scale_folder(experiment) / "report.html"
