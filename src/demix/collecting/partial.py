"""What exists of a table or figure before all of it is there."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from demix.collecting.plan import Missing
from demix.datasets.common.card import CARD, missing_after
from demix.experiment.experiment import Experiment
from demix.experiment.run import Run
from demix.specs.scores import ScoreRequest
from demix.support.codes import FILE as CODES
from demix.support.codes import file_of_set
from demix.support.provenance import FILE as PROVENANCE
from demix.workflow.paths import data_folder, score_values, seed_folder


def missing_data(cards: Iterable[Path]) -> tuple[Missing, ...]:
    """Reason and remedy of every data set whose card says that it is not available."""
    return tuple(Missing(**missing) for card in cards if (missing := missing_after(card)))


def data_cards(runs: Iterable[Run]) -> list[Path]:
    """Cards of the external data sets that runs need."""
    external = (run for run in runs if run.spec.problem.external)
    return list(dict.fromkeys(data_folder(run, 0) / CARD for run in external))


def partly_there(experiment: Experiment, runs: Iterable[Run]) -> bool:
    """Some but not all seeds of the runs are finished."""
    folders = [seed_folder(experiment, member, seed) for member in runs for seed in member.seeds]
    return 0 < len(_finished(folders)) < len(folders)


def scores_so_far(experiment: Experiment, requests: Mapping[str, Iterable[ScoreRequest]]) -> dict[str, Any]:
    """Scores of the finished seeds of runs, a data frame by run id: those of the requested that can be computed.

    They are computed from the codes, since a file of scores may be of other seeds. An evaluation set that still has to
    be encoded has no scores.
    """
    import pandas as pd

    from demix.scores.common.rows import score_rows

    values = score_values(experiment)
    frames = {}
    for name, wanted in requests.items():
        run, rows = experiment.runs[name], []
        for folder in _finished(seed_folder(experiment, run, seed) for seed in run.seeds):
            places = {request: _place(run, request.evaluation_set, folder) for request in wanted}
            there = [request for request, place in places.items() if place]
            later = [place for place in dict.fromkeys(places.values()) if place and place.name != CODES]
            rows += score_rows(name, run.key, there, [folder], later, values)
        if rows:
            frames[name] = pd.DataFrame(rows)
    return frames


def _place(run: Run, evaluation_set: str, folder: Path) -> Path | None:
    """The file that holds an evaluation set of a finished seed as the run has it now; None if there is none."""
    if run.is_raw:
        return folder / CODES
    return file_of_set(folder, evaluation_set, run.spec.problem.set_key(evaluation_set))


def _finished(folders: Iterable[Path]) -> list[Path]:
    return [folder for folder in folders if (folder / PROVENANCE).exists()]
