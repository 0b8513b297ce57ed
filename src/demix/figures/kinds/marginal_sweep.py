"""A score and the mass to move against the marginal's concentration (ICML 2021, Figure 2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from demix.collecting.command import Results
from demix.figures.common.caption import numbers_table, seeds_text
from demix.figures.common.concentration import AXES, concentration, mass_to_move, with_concentration
from demix.figures.common.kind import FigureKind
from demix.figures.common.style import BLACK, BLUE, GREY, label_powers_of_two, log2_positions
from demix.figures.plan import FigurePlan
from demix.specs.figures.kinds.marginal_sweep import SCORED, PanelSpec, place_of
from demix.specs.problems.synthetic import SyntheticProblemSpec
from demix.specs.scores import ScoreRequest, ScoreSpec
from demix.tables.collect import number_of, provenance_of, values_of
from demix.tables.view import departures_line, exactness_lines, origin_line, spread

CURVE_POINTS = 80


@dataclass(frozen=True, kw_only=True)
class MarginalSweep(FigureKind):
    """A panel for every sweep over a marginal; points without a score are left blank.

    Args:
        score: on the left axis.
        panels: from left to right.
    """

    score: ScoreSpec
    panels: Mapping[str, PanelSpec]

    def collect(self, plan: FigurePlan, results: Results) -> pd.DataFrame:
        """Scores beside theory.

        Returns:
            One row for each panel and point, in order of the concentration. Columns: figure, scale, panel, space, dim,
            marginal, conditional, concentration (kappa or 1 / std^2), conditional_concentration, mass_to_move
            (percent), metric, run, key, comparable (with the published problem), n_seeds, seeds_planned, mean and std
            (in the score's unit, ddof 1), lowest and highest seed, unit and provenance.
        """
        request = ScoreRequest(evaluation_set=SCORED, score=self.score)
        points = []
        for panel in self.panels:
            for run, problem in _problems(plan, panel).items():
                values = values_of(results.scores.get(run), request)
                shared = {"figure": plan.name, "scale": plan.scale, "panel": panel}
                origin = {"metric": self.score.name, "run": run, **plan.runs[run].model_dump(), "unit": self.score.unit}
                numbers = _numbers(values, self.score)
                points.append(shared | _theory(problem) | origin | numbers | provenance_of(values))
        table = pd.DataFrame(points)
        panels = list(self.panels)
        return table.sort_values(
            ["panel", "concentration"], key=lambda c: c.map(panels.index) if c.name == "panel" else c
        )

    def as_cells(self, table: pd.DataFrame) -> pd.DataFrame:
        return table.assign(row_id=table["run"], setting="unsupervised")

    def draw(self, table: pd.DataFrame, plan: FigurePlan) -> Figure:
        """Panels side by side."""
        figure = Figure(figsize=(3.5 * len(self.panels), 2.55), layout="constrained")
        axes = figure.subplots(1, len(self.panels), squeeze=False)[0]
        for number, (ax, (name, panel)) in enumerate(zip(axes, self.panels.items(), strict=True)):
            _draw_panel(ax, table[table["panel"] == name], _first_problem(plan, name), self.score.head)
            ax.set_title(f"{'abcdefgh'[number]}   {panel.title}", loc="left")
        return figure

    def shown(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        conditionals = "; ".join(f"{self.panels[name].title}: {_conditional(plan, name)}" for name in self.panels)
        return [
            f"Black: {self.score.head} on the left axis, mean ± standard deviation (ddof 1) over "
            f"{seeds_text(plan.seeds)}, scored on samples of the marginal that was trained on. Blue: mass to move to "
            "make the marginal uniform, ½ ∫ |p(z) − p_uniform(z)| dz, exact. Dashed: concentration of the conditional "
            f"({conditionals})."
        ]

    def numbers(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        return [self._numbers_of(table[table["panel"] == name], plan, name) for name in self.panels]

    def footer(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        return [*exactness_lines(table), departures_line(table, plan), origin_line(table)]

    def _numbers_of(self, points: pd.DataFrame, plan: FigurePlan, name: str) -> str:
        """The points of a panel as a table."""
        problem = _first_problem(plan, name)
        heads = [AXES[problem.marginal.kind], f"{self.score.head} ours", "Mass to move [%]"]
        rows = [
            [f"{point.concentration:.4g}", _score_text(point), f"{point.mass_to_move:.2f}"]
            for point in points.itertuples()
        ]
        head = f"**{self.panels[name].title}**, N = {problem.dim}, conditional {_conditional(plan, name)}"
        return f"{head}\n\n{numbers_table(heads, rows)}"


def _problems(plan: FigurePlan, panel: str) -> dict[str, SyntheticProblemSpec]:
    """Problems of the points of a panel, by run."""
    found = plan.details["problems"]
    return {run: SyntheticProblemSpec.model_validate(found[run]) for run in plan.shown[place_of(panel)]}


def _first_problem(plan: FigurePlan, panel: str) -> SyntheticProblemSpec:
    """The problem of a panel, as far as its points share it."""
    return next(iter(_problems(plan, panel).values()))


def _conditional(plan: FigurePlan, panel: str) -> str:
    conditional = _first_problem(plan, panel).conditional
    return conditional.label if conditional else ""


def _theory(problem: SyntheticProblemSpec) -> dict[str, Any]:
    """What is known of a point without training."""
    return {
        "conditional": problem.conditional.label if problem.conditional else "",
        "conditional_concentration": concentration(problem.conditional),
        "space": problem.space.kind,
        "dim": problem.dim,
        "marginal": problem.marginal.label,
        "concentration": concentration(problem.marginal),
        "mass_to_move": 100 * mass_to_move(problem),
    }


def _numbers(values: pd.DataFrame | None, score: ScoreSpec) -> dict[str, Any]:
    number = number_of(values, score)
    if number is None or values is None:
        return {"n_seeds": 0} | dict.fromkeys(("mean", "std", "lowest", "highest"))
    extremes = {"lowest": score.shown_as * values["value"].min(), "highest": score.shown_as * values["value"].max()}
    return {"n_seeds": number.count, "mean": number.mean, "std": number.std} | extremes


def _score_text(point: Any) -> str:
    if pd.isna(point.mean):
        return "diverged" if point.n_seeds else "missing"
    return spread(point.mean, point.std) + ("" if point.n_seeds == point.seeds_planned else f" (n={point.n_seeds})")


def _draw_panel(ax: Axes, points: pd.DataFrame, problem: SyntheticProblemSpec, score: str) -> None:
    x = np.array(log2_positions(points["concentration"]))
    mass = ax.twinx()
    mass.plot(x, points["mass_to_move"], color=BLUE, marker="s", markersize=3, linestyle="none")
    mass.plot(*_mass_curve(points, problem), color=BLUE, linewidth=1.2)
    mass.set_ylabel("Mass to move [%]", color=BLUE)
    mass.tick_params(axis="y", colors=BLUE)
    mass.spines["right"].set_color(BLUE)

    # a point without a score interrupts the line
    mean, std = (points[name].to_numpy(dtype=float) for name in ("mean", "std"))
    std = np.nan_to_num(std)
    ax.fill_between(x, mean - std, mean + std, color=BLACK, alpha=0.15, linewidth=0)
    ax.errorbar(x, mean, yerr=std, color=BLACK, marker="o", capsize=2, elinewidth=0.8)
    ax.set_ylabel(score, color=BLACK)
    ax.set_xlabel(AXES[problem.marginal.kind])
    width = concentration(problem.conditional)
    if width:
        (place,) = log2_positions([width])
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


def _mass_curve(points: pd.DataFrame, problem: SyntheticProblemSpec) -> tuple[NDArray, list[float]]:
    """The exact curve between the smallest and the largest concentration, in powers of two and percent."""
    powers = np.log2(points["concentration"][points["concentration"] > 0])
    if powers.empty:
        return np.array([]), []
    x = np.linspace(powers.min(), powers.max(), CURVE_POINTS)
    return x, [100 * mass_to_move(with_concentration(problem, float(2**power))) for power in x]
