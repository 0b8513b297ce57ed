"""Checks of the theorems: simulations, exact expectations, limits. Seconds on a CPU."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import ndtri

from demix.collecting.command import Results
from demix.figures.common.caption import numbers_table
from demix.figures.common.kind import ClaimLines, FigureKind
from demix.figures.common.style import BLACK, GREY, MARKERS, PALETTE
from demix.figures.plan import FigurePlan
from demix.specs.figures.kinds.theory import MassCaseSpec, MinimumCaseSpec, SphereCaseSpec, TheorySpec
from demix.specs.latents.densities import DensitySpec
from demix.support.provenance import commit, versions
from demix.theory.checks import all_checks
from demix.theory.reach import Reach, reaches
from demix.theory.sphere import sphere_limit

ERRORS = 2
"""Length of error bars in standard errors."""


@dataclass(frozen=True, kw_only=True)
class Theory(FigureKind):
    """Six panels of comparisons of a simulation with an exact expectation; arguments are those of the spec."""

    seed: int
    draws: int
    negatives: Sequence[int]
    sphere: Sequence[SphereCaseSpec]
    minimum: Sequence[MinimumCaseSpec]
    box: Sequence[DensitySpec]
    box_dims: Sequence[int]
    masses: Sequence[MassCaseSpec]
    trained_dim: int
    trained_negatives: int

    def collect(self, plan: FigurePlan, results: Results) -> pd.DataFrame:
        """Simulate everything.

        Returns:
            One row for each comparison. Columns: scale, those of `demix.theory.checks.Check.row`, commit and versions.
        """
        table = pd.DataFrame([check.row() for check in all_checks(_spec(plan))])
        table["negatives"] = table["negatives"].astype("Int64")
        table.insert(0, "scale", plan.scale)
        return table.assign(commit=commit(), **versions("demix", "numpy", "scipy"))

    def draw(self, table: pd.DataFrame, plan: FigurePlan) -> Figure:
        """Six panels."""
        figure = Figure(figsize=(8.6, 5.6), layout="constrained")
        panels: list[tuple[str, Callable[[Axes], None]]] = [
            ("Theorem 1: loss on the sphere", lambda ax: _against_m(ax, _of(table, "theorem 1"), _sphere_label)),
            ("Theorem 1: excess over the limit", lambda ax: _excess(ax, _of(table, "theorem 1"))),
            ("Proposition 1: best at k = κ", lambda ax: _over_k(ax, _of(table, "proposition 1"))),
            ("Theorem 3: loss in the box", lambda ax: _against_m(ax, _of(table, "theorem 3"), _box_label, 0.75)),
            (f"Fewest negatives, N = {self.trained_dim}", lambda ax: _reach(ax, list(reaches(_spec(plan))))),
            ("All comparisons", lambda ax: _deviations(ax, table["z"])),
        ]
        for number, (ax, (title, draw_panel)) in enumerate(zip(figure.subplots(2, 3).flat, panels, strict=True)):
            draw_panel(ax)
            ax.set_title(f"{'abcdef'[number]}   {title}", loc="left")
        return figure

    def caption(self, table: pd.DataFrame, plan: FigurePlan, claims: ClaimLines = ()) -> str:
        """What is shown, with all comparisons; the same at every scale."""
        chi_squared = float((table["z"] ** 2).sum())
        shown = (
            "Points: simulation with independent negatives, bars of two standard errors (often within the marker). "
            "Solid lines in a, b and d: exact expectation at that M. Dashed in a and d: limit for M → ∞. Dotted in b: "
            "the term in 1/M alone. Bars in e: with fewer negatives a loss of zero would still lie above the limit. "
            f"Of {len(table)} comparisons the largest deviation is {table['z'].abs().max():.2f} standard errors; "
            f"Σz² = {chi_squared:.1f}."
        )
        first = table.iloc[0]
        origin = f"Made with commit {first['commit']}; numpy {first['numpy']}; scipy {first['scipy']}."
        parts = [f"# {self.title}", shown, *self.notes, *_reach_sentences(list(reaches(_spec(plan)))), _numbers(table)]
        return "\n\n".join([*parts, origin]) + "\n"


def _spec(plan: FigurePlan) -> TheorySpec:
    return cast(TheorySpec, plan.spec)


def _numbers(table: pd.DataFrame) -> str:
    """All comparisons as a table."""
    heads = ["quantity", "expected", "simulated", "standard error", "z", "limit", "limit + term in 1/M"]
    rows = [
        [row.quantity, *(_number(value) for value in (row.expected, row.simulated)), f"{row.standard_error:.1e}",
         f"{row.z:+.2f}", _number(row.limit), _number(row.first_order)]
        for row in table.itertuples()
    ]  # fmt: skip
    return numbers_table(heads, rows)


def _reach_sentences(found: Sequence[Reach]) -> list[str]:
    """How far the published number of negatives is from the limit."""
    if not found:
        return []
    dim, negatives = found[0].dim, found[0].negatives
    near = [(reach, reach.excess) for reach in found if reach.excess is not None]
    far = [reach for reach in found if reach.needed > reach.negatives]
    lines = []
    if near:
        of = "; ".join(f"{reach.problem}: {excess:.1e} nats above {reach.limit:.3f}" for reach, excess in near)
        lines.append(f"On the sphere, N = {dim} latents and M = {negatives:,} negatives, loss − log M is at {of}.")
    if far:
        of = "; ".join(f"{reach.problem}: limit {reach.limit:.1f}, M ≥ {reach.needed:.0e}" for reach in far)
        lines.append(
            f"In the box it is far from its limit: a loss cannot be negative, so loss − log M stays above "
            f"−log {negatives:,} = −{math.log(negatives):.2f}, and reaches its limit only with very many more "
            f"negatives ({of}). The theorems speak of that limit; trained models never see it."
        )
    return lines


def _number(value: float | None) -> str:
    return "" if value is None or pd.isna(value) else f"{value:.5f}"


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


def _reach(ax: Axes, found: Sequence[Reach]) -> None:
    """Negatives below which a loss of zero would still be above the limit."""
    if not found:
        return
    for place, reach in enumerate(found):
        out_of_reach = reach.needed > reach.negatives
        ax.barh(place, reach.needed - 0.7, left=0.7, color=PALETTE[2] if out_of_reach else PALETTE[1], height=0.3)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
        ax.text(1, place - 0.22, reach.problem, fontsize=7, va="bottom", bbox=box)
    ax.axvline(found[0].negatives, color=GREY, linestyle=(0, (4, 3)), linewidth=1)
    ax.set_xscale("log")
    ax.set_yticks([])
    ax.set_ylim(len(found) - 0.6, -0.9)
    ax.set_xlabel(f"M; dashed: M = {found[0].negatives:,} of the published runs")


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
