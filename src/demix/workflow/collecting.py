"""What collecting a table and collecting a figure share: the command line, scores so far, files with their claims."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from demix.datasets.common.card import CARD, missing_after
from demix.experiment.experiment import Experiment, Run
from demix.support.cli import add_config_options, experiment_of, from_json, parser
from demix.support.errors import ConfigError
from demix.support.files import read_parquet, replacing
from demix.workflow.paths import claims_beside, data_folder, seed_folder

WritePlan = Callable[[dict[str, Any], dict[str, Any], Path], None]
"""Writes what a plan says, from score frames by run id, to a parquet file."""

WritePartial = Callable[[Experiment, str], Path]
"""Writes what exists of an entry of the configuration; the text to show."""


def collect_command(module: str, description: str | None, what: str, write: WritePlan, partial: WritePartial) -> None:
    """The command line of a collecting step.

    Args:
        module, description: as for `demix.support.cli.parser`.
        what: "table" or "figure".
        write: for the workflow, which gives a plan and all scores.
        partial: for people, with --partial.

    Raises:
        ConfigError: neither a plan nor a name is given.
    """
    arguments = parser(module, description)
    arguments.add_argument("--plan", help=f"the {what}'s plan, as JSON")
    arguments.add_argument("--scores", nargs="*", type=Path, default=[], help="parquet files of demix.score")
    arguments.add_argument("--data", nargs="*", type=Path, default=[], help="cards of the external data it needs")
    arguments.add_argument("--out", type=Path, help="parquet file to write")
    arguments.add_argument("--partial", metavar=what.upper(), help=f"collect and render what exists of a {what}")
    add_config_options(arguments)
    options = arguments.parse_args()
    if options.partial:
        print(partial(experiment_of(options), options.partial).read_text())
    elif options.plan and options.out:
        frames = (read_parquet(path) for path in options.scores)
        plan = from_json(options.plan, "--plan") | {"skipped": missing_data(options.data)}
        write(plan, {frame["run"].iloc[0]: frame for frame in frames}, options.out)
    else:
        raise ConfigError(f"give --plan, --scores and --out, or --partial {what.upper()}")


def write_with_claims(table: Any, claims: Any, plan: dict[str, Any], out: Path) -> None:
    """Write data and claims side by side; the plan goes into the data's metadata. Partial ones give way to them."""
    for old in out.parent.glob(f"{out.stem}.partial.*"):
        old.unlink()
    table.attrs["plan"] = plan
    for path, frame in ((claims_beside(out), claims), (out, table)):
        with replacing(path) as temporary:
            frame.to_parquet(temporary, index=False)


def missing_data(cards: Iterable[Path]) -> list[dict[str, str]]:
    """Reason and remedy of every data set whose card says that it is not available."""
    return [missing for card in cards if (missing := missing_after(card))]


def data_cards(runs: list[Run]) -> list[Path]:
    """Cards of the external data sets that runs need."""
    external = (run for run in runs if run.spec.problem.external)
    return list(dict.fromkeys(data_folder(run, 0) / CARD for run in external))


def partly_there(experiment: Experiment, runs: list[Run]) -> bool:
    """Some but not all seeds of the runs are finished."""
    folders = [seed_folder(experiment, member, seed) for member in runs for seed in member.seeds]
    return 0 < sum((folder / "provenance.json").exists() for folder in folders) < len(folders)


def scores_so_far(experiment: Experiment, runs: list[Run]) -> dict[str, Any]:
    """Scores of the finished seeds of runs, a data frame by run id. Scored anew: a file may be of other seeds."""
    import pandas as pd

    from demix.score import score_rows

    frames = {}
    for member in runs:
        folders = [seed_folder(experiment, member, seed) for seed in member.seeds]
        finished = [folder for folder in folders if (folder / "provenance.json").exists()]
        if finished:
            frames[member.id] = pd.DataFrame(score_rows(member.id, member.key, finished))
    return frames
