"""Where results lie, relative to the working folder. The rules and the commands ask here, nobody else knows."""

import os
from pathlib import Path

from demix.datasets.common.card import CARD
from demix.experiment.experiment import Experiment, Run
from demix.experiment.keys import SHORT, result_key
from demix.specs.datasets import FileSpec
from demix.specs.datasets.common.rendering import RenderingSpec

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
    return data_root() / run.spec.problem.data_spec.kind / data_name(run)


def data_folder(run: Run, seed: int) -> Path:
    """Data of a run for one seed: card.json and what belongs to it. All seeds share an image data set."""
    return data_home(run) / f"seed{seed}" if run.has_own_data else data_home(run)


def fetched_file(source: str, file: FileSpec) -> Path:
    """A file that is fetched for a data set, by the name of its source."""
    return data_root() / "files" / source / file.name


def fetched_card(source: str, file: FileSpec) -> Path:
    """Card of a file that is fetched, beside it."""
    checksum = (file.sha256 or file.md5 or "any")[:SHORT]
    return data_root() / "files" / source / f"{file.name}-{checksum}" / CARD


def data_log_file(run: Run, seed: int) -> Path:
    """Log of the step that makes a run's data for one seed."""
    if run.has_own_data:
        return Path("results/logs/synthetic_problem") / data_name(run) / f"seed{seed}.log"
    return Path("results/logs/data") / f"{run.spec.problem.data_spec.kind}-{data_name(run)}.log"


def renderer_card() -> Path:
    """Card of the environment that pictures are rendered in."""
    return data_root() / "renderer" / "card.json"


def pictures_name(spec: RenderingSpec) -> str:
    """Name of the folder of rendered pictures: the start of their key."""
    return result_key(spec)[:SHORT]


def pictures_home(spec: RenderingSpec) -> Path:
    """Everything of rendered pictures, of a data set or a figure."""
    return data_root() / spec.kind / pictures_name(spec)


def shard_file(spec: RenderingSpec, shard: str) -> Path:
    """A shard, by its name. The latents that it was rendered from lie beside it."""
    return pictures_home(spec) / "rendering" / f"{shard}.parquet"


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
    step = "score_pixels" if run.is_raw else "train"
    return scale_folder(experiment) / "logs" / step / run_name(run) / f"seed{seed}.log"


def scores_file(experiment: Experiment, run: Run) -> Path:
    """Scores of a run, all seeds."""
    return scale_folder(experiment) / "scores" / f"{run_name(run)}.parquet"


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
    """The data of a figure; checks of theorems are a table of their own."""
    if experiment.figure(figure).kind == "theory":
        return table_file(experiment, figure, "parquet")
    return figure_file(experiment, figure, "parquet")


def report_file(experiment: Experiment) -> Path:
    """Every table and figure of a scale on one page."""
    return scale_folder(experiment) / "report.html"
