"""One tidy data frame for a table: our numbers, the printed ones, difference, verdict and provenance."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from demix.score import PAIR_WIDTHS
from demix.support.errors import ConfigError, unknown
from demix.tables.plan import LABELS
from demix.tables.published import published_table
from demix.tables.verdicts import Number, verdict


def collect(plan: Mapping[str, Any], scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The table of a plan, one row for each cell.

    Args:
        plan: what `table_plan` returned.
        scores: data frames of `demix.score` by run id; a run without one is missing.

    Returns:
        Columns: table, scale, row_id, row (1-based), block, labels, matches, setting, metric, score (the one that
        stands for the metric), evaluation_set, run, key, comparable, n_seeds, seeds_planned, mean and std (percent,
        ddof 1), unit, printed_mean, printed_std, printed_n, inherited, difference (points), verdict, and provenance:
        seeds, data (kind and hash of an image data set), bit_exact (all seeds were trained on one kind of device from
        start to end), finished (the last of them), commit, versions, device, steps, steps per second, wall time, peak
        memory of the process and of a GPU (MiB), pair_width and pair_width_drawn (of pairs matched to pictures, see
        `demix.pairs.matched`); joined or averaged over the seeds.
    """
    printed = published_table(plan["table"]).set_index(["row_id", "setting", "metric"])
    where = f"tables.{plan['table']}"
    cells = []
    for number, (row_id, row) in enumerate(plan["rows"].items(), start=1):
        of_row = printed[printed.index.get_level_values("row_id") == row_id]
        shared = {"table": plan["table"], "scale": plan["scale"], "row_id": row_id, "row": number}
        shared |= {"block": _first(of_row, "block"), "matches": _first(of_row, "matches")}
        shared |= {label: row["labels"][label] for label in LABELS}
        columns = [(setting, run, plan["evaluation_set"]) for setting, run in row["cells"].items()]
        columns += [(name, run, name) for name, run in row["also"].items()]
        for setting, run, evaluation_set in columns:
            for metric in plan["metrics_of"].get(setting, plan["metrics"]):
                score = plan["scores"].get(metric, metric)
                values = values_of(scores.get(run), score, evaluation_set, where)
                place = (row_id, setting, metric)
                entry = printed.loc[place] if place in printed.index else None
                cells.append(
                    shared
                    | {"setting": setting, "metric": metric, "score": score, "evaluation_set": evaluation_set}
                    | {"run": run, **plan["runs"][run], "unit": "percent"}
                    | _numbers(values, entry, plan["runs"][run]["comparable"])
                )
    return pd.DataFrame(cells)


def values_of(scores: pd.DataFrame | None, metric: str, evaluation_set: str, where: str) -> pd.DataFrame | None:
    """The rows of one score on one evaluation set, a row for each seed; None if there are no scores.

    Raises:
        ConfigError: there is no such evaluation set; `where` says who asked for it.
    """
    if scores is None:
        return None
    of_set = scores[scores["evaluation_set"] == evaluation_set]
    if of_set.empty:
        raise ConfigError(f"{where}: {unknown('evaluation_set', evaluation_set, scores['evaluation_set'].unique())}")
    return of_set[of_set["metric"] == metric]


def _numbers(values: pd.DataFrame | None, entry: pd.Series | None, comparable: bool) -> dict[str, Any]:
    ours = number_of(values)
    printed = None
    if entry is not None:
        percent = 100 if entry["unit"] == "fraction" else 1
        count = 0 if pd.isna(entry["n_seeds"]) else int(entry["n_seeds"])
        printed = Number(percent * entry["mean"], percent * entry["std"], count)
    return {
        "n_seeds": ours.count if ours else 0,
        "mean": ours.mean if ours else None,
        "std": ours.std if ours else None,
        "printed_mean": printed.mean if printed else None,
        "printed_std": printed.std if printed else None,
        "printed_n": printed.count if printed else None,
        "inherited": bool(entry["inherited"]) if entry is not None else False,
        "difference": ours.mean - printed.mean if ours and printed else None,
        "verdict": verdict(ours, printed, comparable=comparable),
        **provenance_of(values),
    }


def number_of(values: pd.DataFrame | None) -> Number | None:
    """Mean and spread over the seeds, in percent; None if there are none."""
    if values is None or values.empty:
        return None
    percent = 100 * values["value"]
    return Number(percent.mean(skipna=False), percent.std(ddof=1), len(values))


def provenance_of(values: pd.DataFrame | None) -> dict[str, Any]:
    """Where the seeds of a number come from: texts joined, costs averaged; None throughout if there are none."""
    joined = ("outcome", "data", "commit", "device", "device_type", "python", "demix", "torch", "numpy")
    averaged = ("steps", "steps_per_second", "wall_time_s", "peak_memory_mb", "device_memory_mb", *PAIR_WIDTHS)
    if values is None or values.empty:
        return dict.fromkeys(("seeds", "bit_exact", "finished", *joined, *averaged))
    record: dict[str, Any] = {"seeds": ", ".join(values["seed"].astype(str))}
    exact = None if values["bit_exact"].isna().any() else bool(values["bit_exact"].all())
    record |= {"bit_exact": exact, "finished": values["finished"].max()}
    record |= {name: ", ".join(dict.fromkeys(values[name].dropna().astype(str))) for name in joined}
    return record | {name: float(pd.to_numeric(values[name]).mean()) for name in averaged}


def _first(frame: pd.DataFrame, column: str) -> Any:
    return frame[column].iloc[0] if len(frame) else None
