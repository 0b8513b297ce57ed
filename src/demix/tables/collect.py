"""One tidy data frame for a table: our numbers, the printed ones, difference, verdict and provenance."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from demix.scores.common.rows import FACT
from demix.specs.scores import ScoreRequest, ScoreSpec
from demix.tables.plan import LABELS, PlannedCell, TablePlan
from demix.tables.published import published_table
from demix.tables.verdicts import Number, verdict

JOINED = ("outcome", "data", "commit", "device", "device_type", "python", "demix", "torch", "numpy")
AVERAGED = ("steps", "steps_per_second", "wall_time_s", "peak_memory_mb", "device_memory_mb")


def collect(plan: TablePlan, scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The table of a plan, one row for each cell.

    Args:
        plan: what `table_plan` returned.
        scores: data frames of `demix.score` by run id; a run without one is missing.

    Returns:
        Columns: table, scale, row_id, row (1-based), block, labels, matches, setting, metric (as it is printed), score
        (the one that stands for it, by its name), evaluation_set, run, key, comparable, n_seeds, seeds_planned, mean
        and std (in the score's unit, ddof 1), unit, printed_mean, printed_std, printed_n, inherited, difference,
        verdict, and provenance: seeds, data (kind and hash of a data set), bit_exact (all seeds were trained on one
        kind of device from start to end), finished (the last of them), commit, versions, device, steps, steps per
        second, wall time, peak memory of the process and of a GPU (MiB), and a column "fact_..." for each thing that
        a problem tells of itself; joined or averaged over the seeds.
    """
    printed = published_table(plan.name).set_index(["row_id", "setting", "metric"])
    cells = []
    for number, (row_id, row) in enumerate(plan.rows.items(), start=1):
        of_row = printed[printed.index.get_level_values("row_id") == row_id]
        shared = {"table": plan.name, "scale": plan.scale, "row_id": row_id, "row": number}
        shared |= {"block": _first(of_row, "block"), "matches": _first(of_row, "matches")}
        shared |= {label: row.labels[label] for label in LABELS}
        for place in plan.planned_cells(row_id):
            index = (row_id, place.setting, place.metric)
            entry = printed.loc[index] if index in printed.index else None
            cells.append(shared | _cell(plan, place, scores.get(place.run), entry))
    return pd.DataFrame(cells)


def _cell(plan: TablePlan, place: PlannedCell, scores: pd.DataFrame | None, entry: pd.Series | None) -> dict[str, Any]:
    """The columns of a cell that differ from those beside it."""
    score, run = place.request.score, plan.runs[place.run]
    return {
        "setting": place.setting,
        "metric": place.metric,
        "score": score.name,
        "evaluation_set": place.request.evaluation_set,
        "run": place.run,
        **run.model_dump(),
        "unit": score.unit,
        **_numbers(values_of(scores, place.request), score, entry, run.comparable),
    }


def values_of(scores: pd.DataFrame | None, request: ScoreRequest) -> pd.DataFrame | None:
    """The rows of one score on one evaluation set, a row for each seed; None if there are no scores.

    Args:
        scores: a data frame of `demix.score`.
        request: the score, and the evaluation set that it is taken on.
    """
    if scores is None:
        return None
    of_set = scores[scores["evaluation_set"] == request.evaluation_set]
    return of_set[of_set["score"] == request.score.name]


def _numbers(
    values: pd.DataFrame | None, score: ScoreSpec, entry: pd.Series | None, comparable: bool
) -> dict[str, Any]:
    ours, printed = number_of(values, score), None if entry is None else _printed(entry, score)
    return {
        "n_seeds": ours.count if ours else 0,
        "mean": ours.mean if ours else None,
        "std": ours.std if ours else None,
        "printed_mean": printed.mean if printed else None,
        "printed_std": printed.std if printed else None,
        "printed_n": printed.count if printed else None,
        "inherited": bool(entry["inherited"]) if entry is not None else False,
        "difference": ours.mean - printed.mean if ours and printed else None,
        "verdict": verdict(ours, printed, comparable=comparable, point=score.shown_as / 100),
        **provenance_of(values),
    }


def _printed(entry: pd.Series, score: ScoreSpec) -> Number:
    """The number of a paper, in the unit in which ours is shown."""
    factor = score.shown_as if entry["unit"] == "fraction" else 1
    count = 0 if pd.isna(entry["n_seeds"]) else int(entry["n_seeds"])
    return Number(factor * entry["mean"], factor * entry["std"], count)


def number_of(values: pd.DataFrame | None, score: ScoreSpec) -> Number | None:
    """Mean and spread over the seeds, in the score's unit; None if there are none."""
    if values is None or values.empty:
        return None
    shown = score.shown_as * values["value"]
    return Number(shown.mean(skipna=False), shown.std(ddof=1), len(values))


def provenance_of(values: pd.DataFrame | None) -> dict[str, Any]:
    """Where the seeds of a number come from: texts joined, costs and facts averaged; None if there are none."""
    if values is None or values.empty:
        return dict.fromkeys(("seeds", "bit_exact", "finished", *JOINED, *AVERAGED))
    facts = [column for column in values.columns if column.startswith(FACT)]
    record: dict[str, Any] = {"seeds": ", ".join(values["seed"].astype(str))}
    exact = None if values["bit_exact"].isna().any() else bool(values["bit_exact"].all())
    record |= {"bit_exact": exact, "finished": values["finished"].max()}
    record |= {name: ", ".join(dict.fromkeys(values[name].dropna().astype(str))) for name in JOINED}
    return record | {name: float(pd.to_numeric(values[name]).mean()) for name in (*AVERAGED, *facts)}


def _first(frame: pd.DataFrame, column: str) -> Any:
    return frame[column].iloc[0] if len(frame) else None
