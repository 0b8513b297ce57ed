"""Draw a score and the mass to move against the marginal's concentration (ICML 2021, Figure 2)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from demix.figures.style import BLACK, BLUE, GREY, label_powers_of_two, log2_positions
from demix.tables.view import METRIC_HEADS


def draw(table: pd.DataFrame, plan: Mapping[str, Any]) -> Figure:
    """The figure of a collected sweep; points without a score are left out.

    Args:
        table: what `collect_figure` returned.
        plan: the plan it was made with.
    """
    panels = plan["panels"]
    figure = Figure(figsize=(3.5 * len(panels), 2.55), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for number, (ax, (name, panel)) in enumerate(zip(axes, panels.items(), strict=True)):
        _draw_panel(ax, table[table["panel"] == name], panel, METRIC_HEADS[plan["metric"]])
        ax.set_title(f"{'abcdefgh'[number]}   {panel['title']}", loc="left")
    return figure


def _draw_panel(ax: Axes, points: pd.DataFrame, panel: Mapping[str, Any], score: str) -> None:
    x = pd.Series(log2_positions(points["concentration"]), index=points.index)
    zero = points["concentration"] == 0
    mass = ax.twinx()
    mass.plot(x, points["mass_to_move"], color=BLUE, marker="s", markersize=3, linewidth=1.2)
    mass.set_ylabel("Mass to move [%]", color=BLUE)
    mass.tick_params(axis="y", colors=BLUE)
    mass.spines["right"].set_color(BLUE)

    scored = points["mean"].notna()
    spread = points["std"].fillna(0.0)
    ax.fill_between(x[scored], (points["mean"] - spread)[scored], (points["mean"] + spread)[scored],
                    color=BLACK, alpha=0.15, linewidth=0)  # fmt: skip
    ax.errorbar(x[scored], points["mean"][scored], yerr=spread[scored], color=BLACK, marker="o", capsize=2,
                elinewidth=0.8)  # fmt: skip
    ax.set_ylabel(score, color=BLACK)
    ax.set_xlabel(panel["axis"])
    if panel["conditional_concentration"]:
        (place,) = log2_positions([panel["conditional_concentration"]])
        ax.axvline(place, color=GREY, linestyle=(0, (4, 3)), linewidth=1)
    label_powers_of_two(ax, x, zero=x[zero].iloc[0] if zero.any() else None)
    for axis in (ax, mass):
        axis.set_ylim(-3, 104)
        axis.set_yticks([0, 25, 50, 75, 100])
    ax.set_zorder(mass.get_zorder() + 1)  # the score lies above the mass
    ax.patch.set_visible(False)
    mass.spines["left"].set_visible(False)
    ax.spines["right"].set_visible(False)
