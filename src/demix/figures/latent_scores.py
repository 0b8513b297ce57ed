"""Draw the R2 of every latent for each run, as a table in colours."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from demix.figures.style import GREY, skipped

LOWEST = 0.0
"""Percent that has the lightest colour, as everything below."""

DARK = 60.0
"""Percent from which on the number is white."""


def draw(table: pd.DataFrame, plan: Mapping[str, Any]) -> Figure:
    """Rows are runs, columns latents and their mean; each field has the mean over seeds.

    Args:
        table: what `demix.figures.latents.latent_scores` returned; no rows if the data is not available.
        plan: the figure's plan.
    """
    if table.empty:
        return skipped(plan)
    rows, latents = list(plan["rows"]), list(plan["latents"])
    percent = 100 * table.groupby(["row", "latent"])["r2"].mean().unstack().reindex(index=rows, columns=latents)
    percent["mean"] = percent.mean(axis=1)
    figure = Figure(figsize=(1.9 + 0.6 * percent.shape[1], 0.7 + 0.36 * len(rows)), layout="constrained")
    ax = figure.subplots()
    ax.imshow(percent, cmap="Blues", vmin=LOWEST, vmax=100, aspect="auto")
    for (row, column), value in np.ndenumerate(percent.to_numpy()):
        text = "–" if np.isnan(value) else f"{value:.0f}"
        ax.text(column, row, text, ha="center", va="center", color="white" if value > DARK else "black")
    ax.axvline(len(latents) - 0.5, color="white", linewidth=3)
    ax.set_xticks(range(percent.shape[1]), [name.replace("_", "\n") for name in percent.columns])
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(f"R² [%] on {plan['evaluation_set']} pictures", loc="left", color=GREY)
    return figure
