"""What stands below a figure, as Markdown: what is shown, our choices, departures, numbers."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
from tabulate import tabulate

from demix.tables.view import (
    METRIC_HEADS,
    departures_line,
    exactness_lines,
    origin_line,
    skipped_lines,
    spread,
    stand_in_lines,
)


def sweep_caption(table: pd.DataFrame, plan: Mapping[str, Any], claims: list[tuple[str, str]]) -> str:
    """Caption of a sweep over the marginal, with its numbers and the claims about it."""
    seeds = f"{plan['seeds']} seed{'s' if plan['seeds'] > 1 else ''}"
    score = METRIC_HEADS[plan["metric"]]
    conditionals = "; ".join(f"{panel['title']}: {panel['conditional']}" for panel in plan["panels"].values())
    shown = (
        f"Black: {score} on the left axis, mean ± standard deviation (ddof 1) over {seeds}, scored on samples of the "
        "marginal that was trained on. Blue: mass to move to make the marginal uniform, ½ ∫ |p(z) − p_uniform(z)| dz, "
        f"exact. Dashed: concentration of the conditional ({conditionals})."
    )
    parts = [f"# {plan['title']}", shown, *plan["notes"], f"Scale {plan['scale']}: {plan['description']}."]
    for name, panel in plan["panels"].items():
        heads = [panel["axis"], f"{score} ours", "Mass to move [%]"]
        rows = [
            [f"{point.concentration:.4g}", _score(point), f"{point.mass_to_move:.2f}"]
            for point in table[table["panel"] == name].itertuples()
        ]
        numbers = tabulate(rows, headers=heads, tablefmt="pipe", disable_numparse=True)
        parts.append(f"**{panel['title']}**, N = {panel['dim']}, conditional {panel['conditional']}\n\n{numbers}")
    judged = "\n".join(f"- {head}<br>{behind}" for head, behind in claims)
    parts += ["## Claims", judged] if claims else []
    return "\n\n".join([*parts, *exactness_lines(table), departures_line(table, plan), origin_line(table)]) + "\n"


def traces_caption(table: pd.DataFrame, plan: Mapping[str, Any], claims: list[tuple[str, str]]) -> str:
    """Caption of mask sequences with their factors and codes."""
    assert not claims, "the papers claim nothing about single sequences"
    parts = [f"# {plan['title']}", *skipped_lines(plan), *stand_in_lines(plan)]
    if len(table):
        codes = table.drop_duplicates("factor")
        matched = "; ".join(
            f"{row.factor}: code {row.code}, |ρ| = {abs(row.correlation):.2f}" for row in codes.itertuples()
        )
        parts += [
            "Masks of the longest sequences, and below them the factors in pixels (black) and the matched codes of run "
            f"{plan['run']}, seed {plan['seed']} (blue). A code is matched to a factor by the assignment of the rank "
            "correlations on the samples that tables are scored on, and scaled and shifted to the factor there. "
            f"{matched}.",
            f"Made with data {table['data'].iloc[0]}.",
        ]
    departed = "; ".join(plan["departures"] or ["none"])
    parts += [*plan["notes"], f"Scale {plan['scale']}: {plan['description']}."]
    return "\n\n".join([*parts, f"Departures from the published settings: {departed}."]) + "\n"


def pictures_caption(table: pd.DataFrame, plan: Mapping[str, Any], claims: list[tuple[str, str]]) -> str:
    """Caption of rendered pictures."""
    assert not claims, "the papers claim nothing about single pictures"
    pictures = plan["pictures"]
    shown = "Random pictures; all ten latents are uniform."
    if pictures["kind"] == "traversals":
        values = ", ".join(f"{value:+.2f}" for value in pictures["values"])
        shown = f"Columns: the ten latents. Rows: raw values {values} of that latent, where all others are 0."
    hue = {"published": "as in the published pictures", "corrected": "corrected"}[pictures["hue_mode"]]
    how = f"Rendered here; hues of negative latents {hue}; height of the object {pictures['z_scale']:.4g} at raw z = 1."
    parts = [f"# {plan['title']}", *skipped_lines(plan), shown, how, *plan["notes"]]
    departed = "; ".join(plan["departures"] or ["none"])
    parts += [f"Scale {plan['scale']}: {plan['description']}.", f"Departures from the published settings: {departed}."]
    if len(table):
        first = table.iloc[0]
        parts.append(f"Made with Blender {first['blender']} on {first['device']}; key {plan['key'][:8]}.")
    return "\n\n".join(parts) + "\n"


def latents_caption(table: pd.DataFrame, plan: Mapping[str, Any], claims: list[tuple[str, str]]) -> str:
    """Caption of the scores of single latents."""
    assert not claims, "the papers claim nothing about single latents"
    parts = [f"# {plan['title']}", *skipped_lines(plan)]
    if len(table):
        seeds = f"{plan['seeds']} seed{'s' if plan['seeds'] > 1 else ''}"
        data = ", ".join(table["data"].unique())
        parts += [
            f"R2 in percent of a linear regression from all codes to a latent, mean over {seeds}, on "
            f"{plan['evaluation_set']} pictures: fitted on one half, scored on the other, as in the tables, which "
            f"print the mean over latents (the last column). Made with data {data}."
        ]
    departed = "; ".join(plan["departures"] or ["none"])
    parts += [*plan["notes"], f"Scale {plan['scale']}: {plan['description']}."]
    return "\n\n".join([*parts, f"Departures from the published settings: {departed}."]) + "\n"


def theory_caption(table: pd.DataFrame, plan: Mapping[str, Any], claims: list[tuple[str, str]]) -> str:
    """Caption of the checks of the theorems, with all comparisons."""
    chi_squared = float((table["z"] ** 2).sum())
    shown = (
        "Points: simulation with independent negatives, bars of two standard errors (often within the marker). Solid "
        "lines in a, b and d: exact expectation at that M. Dashed in a and d: limit for M → ∞. Dotted in b: the term "
        "in 1/M alone. Bars in e: with fewer negatives a loss of zero would still lie above the limit. "
        f"Of {len(table)} comparisons the largest deviation is {table['z'].abs().max():.2f} standard errors; "
        f"Σz² = {chi_squared:.1f}."
    )
    heads = ["quantity", "expected", "simulated", "standard error", "z", "limit", "limit + term in 1/M"]
    rows = [
        [row.quantity, *(_number(value) for value in (row.expected, row.simulated)), f"{row.standard_error:.1e}",
         f"{row.z:+.2f}", _number(row.limit), _number(row.first_order)]
        for row in table.itertuples()
    ]  # fmt: skip
    assert not claims, "the papers claim nothing about these numbers"
    parts = [f"# {plan['title']}", shown, *plan["notes"], *_reach_sentences(plan["reaches"])]
    first = table.iloc[0]
    origin = f"Made with commit {first['commit']}; numpy {first['numpy']}; scipy {first['scipy']}."
    numbers = tabulate(rows, headers=heads, tablefmt="pipe", disable_numparse=True)
    return "\n\n".join([*parts, numbers, origin]) + "\n"


def _reach_sentences(reaches: list[dict[str, Any]]) -> list[str]:
    """How far the published number of negatives is from the limit."""
    if not reaches:
        return []
    dim, negatives = reaches[0]["dim"], reaches[0]["negatives"]
    near = [r for r in reaches if r["excess"] is not None]
    far = [r for r in reaches if r["needed"] > r["negatives"]]
    lines = []
    if near:
        of = "; ".join(f"{r['problem']}: {r['excess']:.1e} nats above {r['limit']:.3f}" for r in near)
        lines.append(f"On the sphere, N = {dim} latents and M = {negatives:,} negatives, loss − log M is at {of}.")
    if far:
        of = "; ".join(f"{r['problem']}: limit {r['limit']:.1f}, M ≥ {r['needed']:.0e}" for r in far)
        lines.append(
            f"In the box it is far from its limit: a loss cannot be negative, so loss − log M stays above "
            f"−log {negatives:,} = −{math.log(negatives):.2f}, and reaches its limit only with very many more "
            f"negatives ({of}). The theorems speak of that limit; trained models never see it."
        )
    return lines


def _score(point: Any) -> str:
    if pd.isna(point.mean):
        return "diverged" if point.n_seeds else "missing"
    return spread(point.mean, point.std) + ("" if point.n_seeds == point.seeds_planned else f" (n={point.n_seeds})")


def _number(value: float | None) -> str:
    return "" if value is None or pd.isna(value) else f"{value:.5f}"
