"""A plot of a benchmark."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

AXES = {
    "loss": ("batch", {"ours_ms": "ours", "naive_ms": "naive", "cdist_ms": "cdist"}, "milliseconds"),
    "step": ("batch", {"ours_ms": "ours", "naive_ms": "naive"}, "milliseconds"),
    "samplers": ("batch", {"ours_per_second": "ours", "numpy_per_second": "numpy"}, "samples per second"),
    "loading": ("batch", {"ours_ms": "ours", "loader_ms": "DataLoader"}, "milliseconds"),
    "feeding": ("batch", {"ours_ms": "ours", "loader_ms": "DataLoader"}, "milliseconds"),
    "score": ("reach", {"seconds": "ours"}, "seconds"),
}
"""Of every benchmark: what is to the right, what is up with its names, and the unit of that."""


def plot(what: str, rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    """One panel for each exponent, density or run; both axes logarithmic but for scores."""
    right, ups, unit = AXES[what]
    panels: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        panels[_panel(row)].append(row)
    figure = Figure(figsize=(3.2 * len(panels), 3.2), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    colors: dict[str, str] = {}
    for axis, (title, panel) in zip(axes, panels.items(), strict=True):
        for label, points in _curves(panel, right, ups).items():
            color = colors.setdefault(label, f"C{len(colors)}")
            axis.plot(*zip(*sorted(points), strict=True), "o-", color=color, label=label)
        axis.set(title=title, xlabel=right, yscale="log")
        if what != "score":
            axis.set_xscale("log", base=2)
    axes[0].set_ylabel(unit)
    lines = {line.get_label(): line for axis in axes for line in axis.lines}
    figure.legend(lines.values(), lines, loc="outside lower center", ncols=max(1, len(lines)), fontsize="small")
    figure.savefig(path, format="png", dpi=150)


def _panel(row: Mapping[str, Any]) -> str:
    if "p" in row:
        return "dot product" if row["p"] == "dot" else f"p = {row['p']}"
    if "part" in row:
        return row["part"]
    return row["density"] if "density" in row else f"{row['run']}, {row['metric']}"


def _curves(rows: Iterable[Mapping[str, Any]], right: str, ups: Mapping[str, str]) -> dict[str, set[tuple]]:
    """Points of every curve by its name: ours by its backend, where it has one."""
    curves: dict[str, set[tuple]] = defaultdict(set)
    for row in rows:
        for column, name in ups.items():
            if row[column] is not None:
                backend = f", {row['backend'].split()[0]}" if name == "ours" and "backend" in row else ""
                curves[name + backend].add((row[right], row[column]))
    return curves
