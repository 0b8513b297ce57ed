"""The claims of ICML 2021, Tables 1 and 2. The structural forms and their margins are ours, fixed before any run."""

import math

from demix.claims.base import Cells, Check, Claim, at_least, at_most, differences, printed_rows

STRUCTURE_R2 = 85.0
STRUCTURE_GAIN = 15.0
"""Points of R2 above the identity, and points of MCC between the blocks of Table 2, at a scale of small problems."""


UNIFORM = printed_rows("icml_table1", marginal="uniform")
ALL_OF_TABLE1 = printed_rows("icml_table1")
NOT_UNIFORM = [row for row in ALL_OF_TABLE1 if row not in UNIFORM]
BOX = printed_rows("icml_table2", model_space="box")
NO_BOX = printed_rows("icml_table2", block=3)
NEITHER = printed_rows("icml_table2", block=4)


def _equal_to_supervised(cells: Cells) -> list[Check]:
    gaps = differences(cells, UNIFORM, "unsupervised", "supervised")
    return at_most("distance from supervised R2", {row: abs(gap) for row, gap in gaps.items()}, 0.3)


def _below_supervised(cells: Cells) -> list[Check]:
    gaps = differences(cells, NOT_UNIFORM, "supervised", "unsupervised")
    name = "supervised minus unsupervised R2"
    return at_least(f"lowest {name}", gaps, 0.6) + at_most(f"highest {name}", gaps, 1.6)


def _mixing_not_linear(cells: Cells) -> list[Check]:
    found = {row: cell for row in ALL_OF_TABLE1 if (cell := cells.get(row, "identity")) is not None}
    highest = at_most("highest identity R2", {row: float(cell.mean) for row, cell in found.items()}, 80.0)
    return highest + at_most("standard errors from print", {row: _standard_errors(found[row]) for row in found}, 3.0)


def _standard_errors(cell) -> float:
    """|ours - printed| in standard errors of the difference; with one seed the printed spread stands in for ours."""
    ours = cell.std if cell.std is not None and math.isfinite(cell.std) else cell.printed_std
    return abs(cell.difference) / math.sqrt(ours**2 / cell.n_seeds + cell.printed_std**2 / cell.printed_n)


def _far_above_identity(cells: Cells) -> list[Check]:
    gains = differences(cells, ALL_OF_TABLE1, "unsupervised", "identity")
    lowest = at_least("lowest unsupervised R2", cells.means(ALL_OF_TABLE1, "unsupervised"), STRUCTURE_R2)
    return lowest + at_least("lowest gain over identity", gains, STRUCTURE_GAIN)


def _blocks_as_printed(cells: Cells) -> list[Check]:
    lowest = at_least("lowest MCC of blocks 1 to 3", cells.means(BOX + NO_BOX, "unsupervised"), 98.5)
    return lowest + at_most("highest MCC of block 4", cells.means(NEITHER, "unsupervised"), 60.0)


def _blocks_apart(cells: Cells) -> list[Check]:
    return _above_block_4(cells, "blocks 1 to 3", BOX + NO_BOX)


def _enough_as_printed(cells: Cells) -> list[Check]:
    boxes = at_least("lowest MCC with a box", cells.means(BOX, "unsupervised"), 98.5)
    return boxes + at_least("lowest MCC without, matching conditional", cells.means(NO_BOX, "unsupervised"), 98.5)


def _enough_apart(cells: Cells) -> list[Check]:
    return _above_block_4(cells, "the box rows", BOX) + _above_block_4(cells, "the matching rows without", NO_BOX)


def _above_block_4(cells: Cells, name: str, rows: list[str]) -> list[Check]:
    """How far the lowest of some rows lies above the highest row of block 4."""
    others = cells.means(NEITHER, "unsupervised")
    best = math.nan if any(map(math.isnan, others.values())) else max(others.values(), default=math.nan)
    gaps = {row: mean - best for row, mean in cells.means(rows, "unsupervised").items()}
    return at_least(f"lowest MCC of {name} minus highest of block 4", gaps, STRUCTURE_GAIN) if others else []


CLAIMS = [
    Claim("icml-t1-structure", "icml_table1", "r2", _far_above_identity, _far_above_identity),
    Claim("icml-t1-a", "icml_table1", "r2", _equal_to_supervised),
    Claim("icml-t1-b", "icml_table1", "r2", _below_supervised),
    Claim("icml-t1-c", "icml_table1", "r2", _mixing_not_linear),
    Claim("icml-t2-a", "icml_table2", "mcc", _blocks_as_printed, _blocks_apart),
    Claim("icml-t2-b", "icml_table2", "mcc", _enough_as_printed, _enough_apart),
]
