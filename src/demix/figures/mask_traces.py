"""Draw mask sequences with their factors and the codes of a trained run over time."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from demix.figures.style import BLACK, BLUE, GREY, skipped

UNITS = {"vertical": "vertical centre [px]", "horizontal": "horizontal centre [px]", "area": "area [px]"}
THUMBNAILS = 10
"""Masks that are shown of a sequence, evenly spread over its frames."""


def draw(table: pd.DataFrame, plan: Mapping[str, Any]) -> Figure:
    """Two rows for every sequence: its masks, and its factors with the matched codes.

    Args:
        table: the rows of `demix.collect_traces`; none if the data is not available.
        plan: the figure's plan.
    """
    if table.empty:
        return skipped(plan)
    sequences, factors = list(dict.fromkeys(table["sequence"])), list(dict.fromkeys(table["factor"]))
    figure = Figure(figsize=(8.6, 2.5 * len(sequences)), layout="constrained")
    grid = figure.subplots(
        2 * len(sequences), len(factors), gridspec_kw={"height_ratios": [0.55, 1] * len(sequences)}, squeeze=False
    )
    for place, sequence in enumerate(sequences):
        of_sequence = table[table["sequence"] == sequence]
        strip = grid[2 * place, 0].get_gridspec()[2 * place, :]
        for ax in grid[2 * place]:
            ax.remove()
        _masks(figure.add_subplot(strip), of_sequence[of_sequence["factor"] == factors[0]])
        for ax, factor in zip(grid[2 * place + 1], factors, strict=True):
            _trace(ax, of_sequence[of_sequence["factor"] == factor], last=place == len(sequences) - 1)
    lines, names = grid[1, 0].get_legend_handles_labels()
    figure.legend(lines, names, loc="outside lower center", ncols=2)
    if plan.get("stand_in"):
        figure.suptitle("made stand-in, not the published data", color=GREY, fontsize=8, x=0.99, ha="right")
    return figure


def _masks(ax: Axes, frames: pd.DataFrame) -> None:
    """Masks of one sequence side by side, over the frame they belong to."""
    shown = np.unique(np.linspace(0, len(frames) - 1, THUMBNAILS).round().astype(int))
    side = int(frames["side"].iloc[0])
    pictures = [np.unpackbits(np.frombuffer(frames["mask"].iloc[i], np.uint8))[: side**2] for i in shown]
    edge = np.full((side, 2), 0.6)
    parts = [part for picture in pictures for part in (1.0 - picture.reshape(side, side), edge)][:-1]
    ax.imshow(np.concatenate(parts, axis=1), cmap="gray", vmin=0, vmax=1, interpolation="nearest")
    ax.set_anchor("W")
    ax.spines[:].set_visible(False)
    ax.set_xticks([i * (side + 2) + side / 2 for i in range(len(shown))], [str(frames["time"].iloc[i]) for i in shown])
    ax.set_yticks([])
    ax.set_title(f"sequence {frames['sequence'].iloc[0]}, frame", loc="left")
    ax.tick_params(length=0)


def _trace(ax: Axes, points: pd.DataFrame, last: bool) -> None:
    ax.plot(points["time"], points["value"], color=BLACK, label="factor")
    ax.plot(points["time"], points["recovered"], color=BLUE, linewidth=1.1, label="code")
    ax.set_title(UNITS[points["factor"].iloc[0]], loc="left")
    if last:
        ax.set_xlabel("frame")
    ax.spines["right"].set_visible(False)
