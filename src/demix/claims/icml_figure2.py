"""The claims of ICML 2021, Figure 2. The paper prints no numbers for it: the thresholds are ours, fixed before any run.

A plateau is an R2 of at least 95; a claim has to hold in both panels.
"""

import math

from demix.claims.common.judging import Cells, Check, Claim, at_least, at_most

SETTING = "unsupervised"
PLATEAU = 95.0
CONSIDERABLE = 50.0
"""Percent of the mass that has to move."""
NEAR = 5.0
"""Percent that still count as near 0, or near 100."""


def _panels(cells: Cells) -> dict[str, list]:
    """The points with a score of each panel, from the least to the most concentrated."""
    points = [point for row in cells.rows if (point := cells.get(row, SETTING)) is not None]
    names = dict.fromkeys(point.panel for point in points)
    return {name: sorted((p for p in points if p.panel == name), key=lambda p: p.concentration) for name in names}


def _any(points: list) -> dict[str, float]:
    """Scores by run; a claim about points that the grid does not have must not hold for want of them."""
    return {point.row_id: float(point.mean) for point in points} or {"no such point": math.nan}


def _high_before(cells: Cells) -> list[Check]:
    return [check for name, points in _panels(cells).items() for check in _high_before_in(name, points)]


def _high_before_in(name: str, points: list) -> list[Check]:
    before = [point for point in points if point.concentration < point.conditional_concentration]
    return at_least(f"{name}: lowest R2 below the conditional's concentration", _any(before), PLATEAU)


def _drop_after(cells: Cells) -> list[Check]:
    return [check for name, points in _panels(cells).items() for check in _drop_after_in(name, points)]


def _drop_after_in(name: str, points: list) -> list[Check]:
    """The last point against half of the first."""
    after = [point for point in points[1:] if point.concentration > point.conditional_concentration]
    return at_most(f"{name}: R2 at the last point, half of that at the first", _any(after[-1:]), points[0].mean / 2)


def _mass_rises(cells: Cells) -> list[Check]:
    checks = []
    for name in dict.fromkeys(point.panel for point in cells.all(SETTING)):
        points = sorted((p for p in cells.all(SETTING) if p.panel == name), key=lambda p: p.concentration)
        mass = [float(point.mass_to_move) for point in points]
        steps = {points[i].row_id: mass[i] - mass[i - 1] for i in range(1, len(points))}
        checks += at_most(f"{name}: mass at the first point", {points[0].row_id: mass[0]}, NEAR)
        checks += at_least(f"{name}: mass at the last point", {points[-1].row_id: mass[-1]}, 100 - NEAR)
        checks += at_least(f"{name}: smallest step of the mass", steps, 0.0)
    return checks


def _tolerated(cells: Cells) -> list[Check]:
    return [check for name, points in _panels(cells).items() for check in _tolerated_in(name, points)]


def _tolerated_in(name: str, points: list) -> list[Check]:
    """The best score among points whose marginal is considerably off."""
    off = [point for point in points if point.mass_to_move > CONSIDERABLE]
    best = sorted(off, key=lambda point: point.mean)[-1:]
    return at_least(f"{name}: highest R2 with a mass above {CONSIDERABLE:g}", _any(best), PLATEAU)


def _same_picture(cells: Cells) -> list[Check]:
    """Claims a, b and d come out the same in both panels, and the conditional's line stands inside both axes."""
    panels = _panels(cells)
    checks = []
    for letter, judged in (("a", _high_before_in), ("b", _drop_after_in), ("d", _tolerated_in)):
        held = {name: all(check.holds for check in judged(name, points)) for name, points in panels.items()}
        different = abs(sum(held.values()) - len(held) * next(iter(held.values()), False))
        checks.append(Check(f"panels that differ in claim {letter}", float(different), "≤", 0.0, " and ".join(panels)))
    for name, points in panels.items():
        inside = points[0].concentration < points[0].conditional_concentration < points[-1].concentration
        checks.append(Check(f"{name}: the conditional is inside the axis", float(inside), "≥", 1.0, name))
    return checks


CLAIMS = [
    Claim(f"icml-f2-{letter}", "r2", checks, checks)
    for letter, checks in zip("abcde", (_high_before, _drop_after, _mass_rises, _tolerated, _same_picture), strict=True)
]
