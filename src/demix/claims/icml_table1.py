"""The claims of ICML 2021, Table 1. The structural form and its margins are ours, fixed before any run."""

import math
from typing import Any

from demix.claims.common.judging import (
    STRUCTURE_GAIN,
    STRUCTURE_R2,
    Cells,
    Check,
    Claim,
    at_least,
    at_most,
    differences,
    printed_rows,
)

TABLE = "icml_table1"
ALL = printed_rows(TABLE)
UNIFORM = printed_rows(TABLE, marginal="uniform")
NOT_UNIFORM = [row for row in ALL if row not in UNIFORM]


def _equal_to_supervised(cells: Cells) -> list[Check]:
    gaps = differences(cells, UNIFORM, "unsupervised", "supervised")
    return at_most("distance from supervised R2", {row: abs(gap) for row, gap in gaps.items()}, 0.3)


def _below_supervised(cells: Cells) -> list[Check]:
    gaps = differences(cells, NOT_UNIFORM, "supervised", "unsupervised")
    name = "supervised minus unsupervised R2"
    return at_least(f"lowest {name}", gaps, 0.6) + at_most(f"highest {name}", gaps, 1.6)


def _mixing_not_linear(cells: Cells) -> list[Check]:
    found = {row: cell for row in ALL if (cell := cells.get(row, "identity")) is not None}
    highest = at_most("highest identity R2", {row: float(cell.mean) for row, cell in found.items()}, 80.0)
    return highest + at_most("standard errors from print", {row: _standard_errors(found[row]) for row in found}, 3.0)


def _standard_errors(cell: Any) -> float:
    """|ours - printed| in standard errors of the difference; with one seed the printed spread stands in for ours."""
    ours = cell.std if cell.std is not None and math.isfinite(cell.std) else cell.printed_std
    return abs(cell.difference) / math.sqrt(ours**2 / cell.n_seeds + cell.printed_std**2 / cell.printed_n)


def _far_above_identity(cells: Cells) -> list[Check]:
    gains = differences(cells, ALL, "unsupervised", "identity")
    lowest = at_least("lowest unsupervised R2", cells.means(ALL, "unsupervised"), STRUCTURE_R2)
    return lowest + at_least("lowest gain over identity", gains, STRUCTURE_GAIN)


CLAIMS = [
    Claim("icml-t1-structure", "r2", _far_above_identity, _far_above_identity),
    Claim("icml-t1-a", "r2", _equal_to_supervised),
    Claim("icml-t1-b", "r2", _below_supervised),
    Claim("icml-t1-c", "r2", _mixing_not_linear),
]
