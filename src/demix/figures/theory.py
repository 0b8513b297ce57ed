"""Draw the checks of the theorems: simulations, exact expectations, limits."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import ndtri

from demix.figures.style import BLACK, GREY, MARKERS, PALETTE
from demix.theory.sphere import sphere_limit

ERRORS = 2
"""Length of error bars in standard errors."""


def draw(table: pd.DataFrame, plan: Mapping[str, Any]) -> Figure:
    """Six panels of a table of checks.

    Args:
        table: the rows of `all_checks`.
        plan: the figure's plan, with `reaches` for the last panel.
    """
    figure = Figure(figsize=(8.6, 5.6), layout="constrained")
    panels: list[tuple[str, Callable[[Axes], None]]] = [
        ("Theorem 1: loss on the sphere", lambda ax: _against_m(ax, _of(table, "theorem 1"), _sphere_label)),
        ("Theorem 1: excess over the limit", lambda ax: _excess(ax, _of(table, "theorem 1"))),
        ("Proposition 1: best at k = κ", lambda ax: _over_k(ax, _of(table, "proposition 1"))),
        ("Theorem 3: loss in the box", lambda ax: _against_m(ax, _of(table, "theorem 3"), _box_label, 0.75)),
        (
            f"Fewest negatives, N = {plan['theory']['trained_dim']}",
            lambda ax: _reach(ax, plan["reaches"]),
        ),
        ("All comparisons", lambda ax: _deviations(ax, table["z"])),
    ]
    for number, (ax, (title, draw_panel)) in enumerate(zip(figure.subplots(2, 3).flat, panels, strict=True)):
        draw_panel(ax)
        ax.set_title(f"{'abcdef'[number]}   {title}", loc="left")
    return figure


def _of(table: pd.DataFrame, statement: str) -> pd.DataFrame:
    return table[table["statement"] == statement]


def _cases(checks: pd.DataFrame) -> Iterable[tuple[str, str, pd.DataFrame]]:
    """Colour, marker and rows of every case that several numbers of negatives were tried for."""
    keys = ["dim", "density", "model_concentration"]
    groups = (group for _, group in checks.groupby(keys, sort=False, dropna=False))
    return [(PALETTE[i % len(PALETTE)], MARKERS[i % len(MARKERS)], group) for i, group in enumerate(groups)]


def _sphere_label(first: pd.Series) -> str:
    return f"N={first['dim']}, κ={first['concentration']:g}, k={first['model_concentration']:g}"


def _box_label(first: pd.Series) -> str:
    return f"N={first['dim']}, {first['density']}"


def _against_m(ax: Axes, checks: pd.DataFrame, label: Callable[[pd.Series], str], room: float = 0.0) -> None:
    """Simulation with error bars, exact expectation as a line, limit dashed."""
    for color, marker, case in _cases(checks):
        ax.plot(case["negatives"], case["expected"], color=color, linewidth=1)
        ax.axhline(case["limit"].iloc[0], color=color, linestyle=(0, (3, 3)), linewidth=0.7)
        ax.errorbar(case["negatives"], case["simulated"], yerr=ERRORS * case["standard_error"], color=color,
                    marker=marker, linestyle="none", elinewidth=0.8, markersize=3,
                    label=label(case.iloc[0]))  # fmt: skip
    _negatives_axis(ax)
    ax.set_ylabel("loss − log M [nats]")
    _add_room(ax, room)
    ax.legend(handlelength=1, loc="upper right" if room else "best")


def _excess(ax: Axes, checks: pd.DataFrame) -> None:
    """Distance to the limit on logarithmic axes, with the first correction as a line."""
    for color, marker, case in _cases(checks):
        ax.plot(case["negatives"], case["first_order"] - case["limit"], color=color, linestyle=":", linewidth=1)
        ax.plot(case["negatives"], case["expected"] - case["limit"], color=color, marker=marker, markersize=3,
                linewidth=0.8)  # fmt: skip
    _negatives_axis(ax)
    ax.set_yscale("log")
    ax.set_ylabel("excess [nats]; dotted: term in 1/M")


def _over_k(ax: Axes, checks: pd.DataFrame) -> None:
    """Points of the curve, the limit as a line."""
    curve = checks[checks["quantity"].str.startswith("loss")]
    for i, ((dim, kappa), case) in enumerate(curve.groupby(["dim", "concentration"], sort=False)):
        color = PALETTE[i % len(PALETTE)]
        k = np.geomspace(case["model_concentration"].min() / 1.2, case["model_concentration"].max(), 100)
        ax.plot(k / kappa, [sphere_limit(kappa, value, dim) for value in k], color=color, linewidth=1)
        ax.errorbar(case["model_concentration"] / kappa, case["simulated"], yerr=ERRORS * case["standard_error"],
                    color=color, marker=MARKERS[i % len(MARKERS)], linestyle="none", markersize=3,
                    label=f"N={dim}, κ={kappa:g}, M={case['negatives'].iloc[0]:,}")  # fmt: skip
    ax.axvline(1, color=GREY, linestyle=(0, (4, 3)), linewidth=1)
    ax.set_xscale("log", base=2)
    ax.set_xlabel("k / κ")
    ax.set_ylabel("loss − log M [nats]; line: limit")
    _add_room(ax, 0.25)
    ax.legend(handlelength=1, loc="upper left", framealpha=1, frameon=True, edgecolor="none")


def _reach(ax: Axes, reaches: list[dict[str, Any]]) -> None:
    """Negatives below which a loss of zero would still be above the limit."""
    for place, reach in enumerate(reaches):
        out_of_reach = reach["needed"] > reach["negatives"]
        ax.barh(place, reach["needed"] - 0.7, left=0.7, color=PALETTE[2] if out_of_reach else PALETTE[1], height=0.3)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
        ax.text(1, place - 0.22, reach["problem"], fontsize=7, va="bottom", bbox=box)
    ax.axvline(reaches[0]["negatives"], color=GREY, linestyle=(0, (4, 3)), linewidth=1)
    ax.set_xscale("log")
    ax.set_yticks([])
    ax.set_ylim(len(reaches) - 0.6, -0.9)
    ax.set_xlabel(f"M; dashed: M = {reaches[0]['negatives']:,} of the published runs")


def _deviations(ax: Axes, z: pd.Series) -> None:
    """Deviations in standard errors in order, against those of as many normal variables."""
    expected = ndtri((np.arange(len(z)) + 0.5) / len(z))
    ax.plot([-3, 3], [-3, 3], color=GREY, linewidth=0.8)
    ax.plot(expected, np.sort(z), "o", color=BLACK, markersize=2)
    ax.set_xlabel("normal quantile")
    ax.set_ylabel("z of the simulations")
    ax.text(0.05, 0.92, f"Σz² = {(z**2).sum():.1f} of {len(z)}", transform=ax.transAxes, fontsize=7)


def _add_room(ax: Axes, fraction: float) -> None:
    """Room for a legend above the curves."""
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + fraction * (high - low))


def _negatives_axis(ax: Axes) -> None:
    ax.set_xscale("log", base=2)
    ax.set_xlabel("negatives M")
