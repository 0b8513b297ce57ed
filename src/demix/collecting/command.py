"""The command line of the steps that collect a table or a figure."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from demix.collecting.partial import missing_data
from demix.collecting.plan import CollectPlan
from demix.experiment.experiment import Experiment
from demix.experiment.options import add_config_options, experiment_of
from demix.specs.base import parse
from demix.support.cli import from_json, parser
from demix.support.errors import ConfigError
from demix.support.files import read_parquet

P = TypeVar("P", bound=CollectPlan)


@dataclass(frozen=True)
class Results:
    """What there is to collect.

    Args:
        scores: data frames of `demix.score` by run id; a run without one is missing.
        histories: history.parquet of runs with one seed.
        codes: folders of runs with one seed, with codes.npz and provenance.json in them.
        shards: files of rendered images.
        data: cards of the data sets that are needed.
    """

    scores: Mapping[str, Any] = field(default_factory=dict)
    histories: tuple[Path, ...] = ()
    codes: tuple[Path, ...] = ()
    shards: tuple[Path, ...] = ()
    data: tuple[Path, ...] = ()


INPUTS = {
    "scores": "parquet files of demix.score",
    "histories": "history.parquet of its runs",
    "codes": "folders of its runs, one for each seed",
    "shards": "parquet files of rendered images",
}
"""Options that name results, by what `Results` calls them."""


def collect_command(
    module: str,
    description: str | None,
    what: str,
    plan_of: Callable[[Any], P],
    write: Callable[[P, Results, Path], None],
    partial: Callable[[Experiment, str], Path],
    inputs: tuple[str, ...] = ("scores",),
) -> None:
    """The command line of a collecting step.

    Args:
        module, description: as for `demix.support.cli.parser`.
        what: "table" or "figure".
        plan_of: the plan from the plain data that --plan holds.
        write: for the workflow, which gives a plan and all results; writes a parquet file.
        partial: for people, with --partial and a name; writes what exists and returns the text to show.
        inputs: which options of `INPUTS` it has.

    Raises:
        ConfigError: neither a plan nor a name is given.
    """
    arguments = parser(module, description)
    arguments.add_argument("--plan", help=f"the {what}'s plan, as JSON")
    for name in inputs:
        arguments.add_argument(f"--{name}", nargs="*", type=Path, default=[], help=INPUTS[name])
    arguments.add_argument("--data", nargs="*", type=Path, default=[], help="cards of the data sets it needs")
    arguments.add_argument("--out", type=Path, help="parquet file to write")
    arguments.add_argument("--partial", metavar=what.upper(), help=f"collect and render what exists of a {what}")
    add_config_options(arguments)
    options = arguments.parse_args()
    if options.partial:
        print(partial(experiment_of(options), options.partial).read_text())
    elif options.plan and options.out:
        plan = plan_of(from_json(options.plan, "--plan")).model_copy(update={"skipped": missing_data(options.data)})
        paths = {name: tuple(getattr(options, name)) for name in inputs if name != "scores"}
        frames = score_frames(options.scores) if "scores" in inputs else {}
        write(plan, Results(frames, data=tuple(options.data), **paths), options.out)
    else:
        raise ConfigError(f"give --plan, --{inputs[0]} and --out, or --partial {what.upper()}")


def plan_reader(model: type[P]) -> Callable[[Any], P]:
    """The `plan_of` of a plan that is of one class."""
    return lambda data: parse(model, data, "--plan")


def score_frames(files: Iterable[Path]) -> dict[str, Any]:
    """Data frames of `demix.score` by run id."""
    frames = (read_parquet(path) for path in files)
    return {frame["run"].iloc[0]: frame for frame in frames if len(frame)}
