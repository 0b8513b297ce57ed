"""What all figures share: fonts, colours, powers of two on an axis, files without dates."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from demix.figures.plan import FigurePlan
from demix.support.files import replacing

BLACK, BLUE, GREY = "#1a1a1a", "#1f6fb4", "#777777"
PALETTE = ("#1a1a1a", "#1f6fb4", "#d1495b", "#2e8b57", "#e08e0b", "#7a4fa3")
"""Distinct on paper, on a screen, and for most colour-blind readers together with the markers."""

MARKERS = ("o", "s", "^", "D", "v", "P")

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8,
    "axes.linewidth": 0.8,
    "axes.edgecolor": BLACK,
    "axes.spines.top": False,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "figure.dpi": 100,
    "savefig.dpi": 250,
    "svg.hashsalt": "demix",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}
UNDATED = {"pdf": {"CreationDate": None}, "png": {"Software": None}, "svg": {"Date": None}}


def styled() -> Any:
    """A context in which figures are made and saved."""
    return mpl.rc_context(STYLE)


def save(figure: Figure, stem: Path) -> None:
    """Write a figure as pdf, png and svg beside each other, the same bytes every time."""
    for ending, metadata in UNDATED.items():
        with replacing(stem.with_name(f"{stem.name}.{ending}")) as temporary:
            figure.savefig(temporary, format=ending, metadata=metadata)


def skipped(plan: FigurePlan) -> Figure:
    """A page that says why there is no figure."""
    figure = Figure(figsize=(8.6, 1.2))
    reason = "; ".join(missing.reason for missing in plan.skipped) or "no data"
    figure.text(0.02, 0.5, f"Skipped: {reason}", fontsize=8, wrap=True)
    return figure


def log2_positions(values: Iterable[float]) -> list[float]:
    """Positions on an axis of powers of two; 0 has its place one unit and a half left of the smallest of the others."""
    values = list(values)
    lowest = min((math.log2(value) for value in values if value > 0), default=0.0)
    return [math.log2(value) if value > 0 else lowest - 1.5 for value in values]


def label_powers_of_two(axes: Axes, positions: Iterable[float], *, zero: float | None = None) -> None:
    """Ticks at every even power with a label at every other one, as in the paper; 0 where it has a place."""
    powers = [position for position in positions if position != zero]
    low, high = math.ceil(min(powers, default=0) - 0.01), math.floor(max(powers, default=0) + 0.01)
    ticks: list[float] = [power for power in range(low, high + 1) if power % 2 == 0]
    labels = [f"$2^{{{power}}}$" if (power - 2) % 4 == 0 or high - low < 8 else "" for power in ticks]
    if zero is not None:
        ticks, labels = [zero, *ticks], ["0", *labels]
    axes.set_xticks(ticks, labels)
