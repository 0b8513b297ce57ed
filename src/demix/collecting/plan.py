"""What tables and figures need to know of the experiment, whatever they show. Never imports torch."""

from typing import Literal

from pydantic import Field

from demix.experiment.run import Run
from demix.specs.base import Spec


class Missing(Spec):
    """Why a data set is not there, and what helps."""

    reason: str
    remedy: str


class PlannedRun(Spec):
    """A run that is shown.

    Args:
        key: of its results.
        comparable: its problem is the published one.
        seeds_planned: how many seeds the scale asks for.
    """

    key: str
    comparable: bool
    seeds_planned: int


class CollectPlan(Spec):
    """What a collecting step needs beside results, as it stands in the metadata of the parquet file that it writes.

    Args:
        name: of the table or figure.
        scale, description, device, claims: of the scale, as its spec has them.
        notes: sentences for the reader.
        stand_in: made data stands in for published data.
        seeds: the most seeds that a run has.
        runs: those that are shown, by their id.
        departures: settings in which they differ from the published ones.
        skipped: data that could not be had; known when the steps before are done.
    """

    name: str
    title: str
    scale: str
    description: str
    device: Literal["auto", "cpu", "cuda"] = "auto"
    claims: Literal["printed", "structural", "none"] = "printed"
    notes: tuple[str, ...] = ()
    stand_in: bool = False
    seeds: int = 0
    runs: dict[str, PlannedRun] = Field({})
    departures: tuple[str, ...] = ()
    skipped: tuple[Missing, ...] = ()


def planned_runs(runs: list[Run]) -> dict[str, PlannedRun]:
    """What plans say of runs, by their id."""
    return {run.id: PlannedRun(key=run.key, comparable=run.comparable, seeds_planned=len(run.seeds)) for run in runs}
