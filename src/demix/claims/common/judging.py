"""Claims: statements that numbers can meet or miss, with the numbers behind them."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from demix.tables.published import published_table

TOLERANCE = 1e-9
"""In points: keeps a bound that is met exactly from failing by rounding."""

STRUCTURE_R2 = 85.0
STRUCTURE_GAIN = 15.0
"""Structural forms, fixed before any run: the least R2, and the points of R2 above the identity or of MCC above what
is not identifiable."""


@dataclass(frozen=True)
class Check:
    """One comparison of a claim.

    Args:
        quantity: what is compared, in words.
        value: ours, in points or percent; NaN if a run behind it diverged.
        relation: "≥" or "≤".
        bound: what the claim asks for, in the same unit.
        row: id of the row that decides, the worst of all.
    """

    quantity: str
    value: float
    relation: str
    bound: float
    row: str

    @property
    def holds(self) -> bool:
        """False if the value is no number."""
        distance = self.value - self.bound
        return (distance if self.relation == "≥" else -distance) >= -TOLERANCE


class Cells:
    """The numbers of a collected table by printed row and setting; remembers which of them a claim looked at.

    Args:
        table: what `demix.tables.collect.collect` returned.
        metric: the score that is meant where none is named.
    """

    def __init__(self, table: pd.DataFrame, metric: str):
        self.metric = metric
        self._cells = {(cell.row_id, cell.setting, cell.metric): cell for cell in table.itertuples()}
        self.used: set[tuple[str, str, str]] = set()

    def means(self, rows: Iterable[str], setting: str, metric: str | None = None) -> dict[str, float]:
        """Our means in percent by row; rows without a result are left out, NaN stands for a divergence."""
        return {row: float(cell.mean) for row in rows if (cell := self.get(row, setting, metric)) is not None}

    def get(self, row: str, setting: str, metric: str | None = None):
        """The whole cell with its printed numbers; None without a result."""
        place = (row, setting, metric or self.metric)
        self.used.add(place)
        cell = self._cells.get(place)
        return None if cell is None or not cell.n_seeds else cell

    @property
    def rows(self) -> list[str]:
        """All row ids in order."""
        return list(dict.fromkeys(row for row, _, metric in self._cells if metric == self.metric))

    def all(self, setting: str) -> list:
        """Whole cells of a setting with or without a result, for what does not depend on results."""
        return [cell for (_, of, metric), cell in self._cells.items() if (of, metric) == (setting, self.metric)]

    def incomplete(self) -> int:
        """How many of the cells that a claim looked at lack some of the seeds, or all."""
        cells = (self._cells.get(place) for place in self.used)
        return sum(cell is None or cell.n_seeds < cell.seeds_planned for cell in cells)

    def foreign(self) -> int:
        """How many of the cells that a claim looked at are not of the published problem."""
        cells = (self._cells.get(place) for place in self.used)
        return sum(cell is not None and not cell.comparable for cell in cells)


Checks = Callable[[Cells], list[Check]]


@dataclass(frozen=True)
class Claim:
    """A statement about the table or figure that its module is named after.

    Args:
        id: as in `published/claims.csv`, which holds the statement.
        metric: the score it is about.
        as_printed: its checks at the published problem, if it is judged there.
        structural: its checks where only the structure of the results shows, if it is judged there.
    """

    id: str
    metric: str
    as_printed: Checks | None = None
    structural: Checks | None = None


@dataclass(frozen=True)
class Judgement:
    """What became of a claim.

    Args:
        claim: its id.
        form: "printed" or "structural": which of its forms was judged.
        state: "met", "not met" or "undecided".
        reason: why it is undecided.
        checks: the numbers behind it, those of an undecided one too as far as they exist.
    """

    claim: str
    form: str
    state: str
    reason: str = ""
    checks: list[Check] = field(default_factory=list)


def judge(claim: Claim, table: pd.DataFrame, form: str) -> Judgement:
    """Judge a claim with a collected table.

    Args:
        form: "printed", "structural" or "none": how far the claims can be judged at the table's scale.
    """
    if form == "none":
        return Judgement(claim.id, form, "undecided", "the numbers of this scale mean nothing")
    checks_of = claim.as_printed if form == "printed" else claim.structural
    if checks_of is None:
        reason = "scale too small" if form == "structural" else "judged at small scales only"
        return Judgement(claim.id, form, "undecided", reason)
    cells = Cells(table, claim.metric)
    checks = checks_of(cells)
    if form == "printed" and cells.foreign():
        return Judgement(claim.id, form, "undecided", "not the published problem", checks)
    if cells.incomplete():
        reason = f"{cells.incomplete()} of {len(cells.used)} cells are not complete"
        return Judgement(claim.id, form, "undecided", reason, checks)
    if not checks:
        return Judgement(claim.id, form, "undecided", f"no {claim.metric} to judge it by")
    return Judgement(claim.id, form, "met" if all(check.holds for check in checks) else "not met", "", checks)


def printed_rows(table: str, **wanted: object) -> list[str]:
    """Rows of a printed table whose columns have these values."""
    printed = published_table(table)
    for column, value in wanted.items():
        printed = printed[printed[column] == value]
    return list(dict.fromkeys(printed["row_id"]))


def gaps(cells: Cells, rows: list[str], other: str, setting: str) -> dict[str, float]:
    """Means of some rows minus that of another row, in points."""
    base = cells.means([other], setting)
    return {row: mean - base[other] for row, mean in cells.means(rows, setting).items() if other in base}


def differences(cells: Cells, rows: list[str], setting: str, other: str) -> dict[str, float]:
    """The mean of one setting minus that of another, in points."""
    ours, others = cells.means(rows, setting), cells.means(rows, other)
    return {row: ours[row] - others[row] for row in ours if row in others}


def at_least(quantity: str, values: Mapping[str, float], bound: float) -> list[Check]:
    """No value lies below the bound: one check of the lowest, none if there is no value."""
    return _extreme(quantity, values, "≥", bound, sign=1)


def at_most(quantity: str, values: Mapping[str, float], bound: float) -> list[Check]:
    """No value lies above the bound: one check of the highest, none if there is no value."""
    return _extreme(quantity, values, "≤", bound, sign=-1)


def _extreme(quantity: str, values: Mapping[str, float], relation: str, bound: float, sign: int) -> list[Check]:
    if not values:
        return []
    row = min(values, key=lambda name: -math.inf if math.isnan(values[name]) else sign * values[name])
    return [Check(quantity, values[row], relation, bound, row)]
