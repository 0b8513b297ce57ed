"""Draw rendered pictures as a grid: traversals of the latents (ICML 2021, Figure 3), or random ones."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from demix.datasets.common.shards import decoded
from demix.figures.style import skipped

TILE = 0.84
"""Side of a picture in inches."""

GAP = 0.03
HEADS = ("x", "y", "z", "α", "β", "γ", "spotlight\nangle", "object\nhue", "spotlight\nhue", "ground\nhue")
"""Above the columns of traversals, in the order of the latents."""


def draw_traversals(table: pd.DataFrame, plan: Mapping[str, Any]) -> Figure:
    """A column for each latent, a row for each of its values, all others 0; as in the paper.

    Args:
        table: the rows of `demix.collect_pictures`; none if there is no renderer.
        plan: the figure's plan.
    """
    if table.empty:
        return skipped(plan)
    figure = _grid(table, left=0.42, top=0.36)
    for ax, head in zip(figure.axes[: len(HEADS)], HEADS, strict=True):
        ax.set_title(head, fontsize=7.5, pad=3)
    for ax, value in zip(figure.axes[:: len(HEADS)], plan["pictures"]["values"], strict=True):
        ax.set_ylabel(f"{value:+.2f}", fontsize=7.5, rotation=0, ha="right", va="center")
    return figure


def draw_gallery(table: pd.DataFrame, plan: Mapping[str, Any]) -> Figure:
    """Random pictures side by side; arguments as for traversals."""
    return skipped(plan) if table.empty else _grid(table, left=0.0, top=0.0)


def _grid(table: pd.DataFrame, left: float, top: float) -> Figure:
    """Pictures without frames, with room for labels in inches."""
    rows, columns = int(table["row"].max()) + 1, int(table["column"].max()) + 1
    width, height = left + columns * TILE, top + rows * TILE
    figure = Figure(figsize=(width, height))
    axes = figure.subplots(rows, columns, squeeze=False, gridspec_kw={"wspace": GAP, "hspace": GAP})
    figure.subplots_adjust(left=left / width, right=1, bottom=0, top=1 - top / height)
    for cell, picture in zip(table.itertuples(), decoded(table["picture"]), strict=True):
        ax = axes[cell.row, cell.column]
        ax.imshow(picture, interpolation="antialiased")
        ax.set_xticks([])
        ax.set_yticks([])
        ax.spines[:].set_visible(False)
    return figure
