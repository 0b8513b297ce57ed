"""The data of a figure of scores by latent: a tidy row for each run, seed and latent."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from demix.scores.r2 import linear_r2_of_each

COLUMNS = ("figure", "scale", "row", "run", "key", "seed", "data", "evaluation_set", "latent", "r2")


def latent_scores(
    plan: Mapping[str, Any], results: Iterable[tuple[Mapping[str, Any], Mapping[str, NDArray]]]
) -> pd.DataFrame:
    """R2 of every latent, fitted on the first half of the samples and scored on the second, as in the tables.

    Args:
        plan: what `figure_plan` returned.
        results: provenance.json and codes.npz of every run and seed; none if the data is not available.

    Returns:
        Columns: figure, scale, row (what the figure calls the run), run, key, seed, data, evaluation_set, latent, r2
        (a fraction; NaN where the codes are no numbers).
    """
    names = {run: row for row, run in plan["rows"].items()}
    shared = {name: plan[name] for name in ("figure", "scale", "evaluation_set")}
    rows = []
    for record, arrays in results:
        scores = linear_r2_of_each(
            arrays[f"{plan['evaluation_set']}/factors"], arrays[f"{plan['evaluation_set']}/codes"], held_out=True
        )
        origin = {name: record[name] for name in ("run", "key", "seed")} | {"row": names[record["run"]]}
        origin["data"] = f"{record['data']['kind']} {record['data']['hash'][:12]}"
        for latent, score in zip(plan["latents"], scores, strict=True):
            rows.append(shared | origin | {"latent": latent, "r2": float(score)})
    return pd.DataFrame(rows, columns=list(COLUMNS))
