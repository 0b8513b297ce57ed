"""Draw a score and the mass to move against the marginal's concentration (ICML 2021, Figure 2)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from demix.figures.concentration import mass_to_move, with_concentration
from demix.figures.style import BLACK, BLUE, GREY, label_powers_of_two, log2_positions
from demix.specs.problem import SyntheticProblem
from demix.tables.view import METRIC_HEADS

CURVE_POINTS = 80


def draw(table: pd.DataFrame, plan: Mapping[str, Any]) -> Figure:
    """The figure of a collected sweep; points without a score are left blank.

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
    x = np.array(log2_positions(points["concentration"]))
    mass = ax.twinx()
    mass.plot(x, points["mass_to_move"], color=BLUE, marker="s", markersize=3, linestyle="none")
    mass.plot(*_mass_curve(points, panel), color=BLUE, linewidth=1.2)
    mass.set_ylabel("Mass to move [%]", color=BLUE)
    mass.tick_params(axis="y", colors=BLUE)
    mass.spines["right"].set_color(BLUE)

    # a point without a score interrupts the line
    mean, std = (points[name].to_numpy(dtype=float) for name in ("mean", "std"))
    std = np.nan_to_num(std)
    ax.fill_between(x, mean - std, mean + std, color=BLACK, alpha=0.15, linewidth=0)
    ax.errorbar(x, mean, yerr=std, color=BLACK, marker="o", capsize=2, elinewidth=0.8)
    ax.set_ylabel(score, color=BLACK)
    ax.set_xlabel(panel["axis"])
    if panel["conditional_concentration"]:
        (place,) = log2_positions([panel["conditional_concentration"]])
        ax.axvline(place, color=GREY, linestyle=(0, (4, 3)), linewidth=1)
        ax.annotate("conditional", (place, 1), (-2, 0), textcoords="offset points", color=GREY, fontsize=6.5,
                    rotation=90, ha="right", va="bottom")  # fmt: skip
    zero = x[points["concentration"] == 0]
    label_powers_of_two(ax, x, zero=zero[0] if len(zero) else None)
    lowest = np.nanmin([0.0, *(mean - std)])  # a held-out R2 may be negative
    for axis in (ax, mass):
        axis.set_ylim(lowest - 3, 104)
        axis.set_yticks([0, 25, 50, 75, 100])
    ax.set_zorder(mass.get_zorder() + 1)  # the score lies above the mass
    ax.patch.set_visible(False)
    mass.spines["left"].set_visible(False)
    ax.spines["right"].set_visible(False)


def _mass_curve(points: pd.DataFrame, panel: Mapping[str, Any]) -> tuple[NDArray, list[float]]:
    """The exact curve between the smallest and the largest concentration, in powers of two and percent."""
    problem = SyntheticProblem.model_validate(next(iter(panel["points"].values())))
    powers = np.log2(points["concentration"][points["concentration"] > 0])
    if powers.empty:
        return np.array([]), []
    x = np.linspace(powers.min(), powers.max(), CURVE_POINTS)
    return x, [100 * mass_to_move(with_concentration(problem, float(2**power))) for power in x]
