"""The claims of ICML 2021, Table 2. The structural forms and their margins are ours, fixed before any run."""

import math

from demix.claims.common.judging import STRUCTURE_GAIN, Cells, Check, Claim, at_least, at_most, printed_rows

TABLE = "icml_table2"
BOX = printed_rows(TABLE, model_space="box")
NO_BOX = printed_rows(TABLE, block=3)
NEITHER = printed_rows(TABLE, block=4)


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
    Claim("icml-t2-a", "mcc", _blocks_as_printed, _blocks_apart),
    Claim("icml-t2-b", "mcc", _enough_as_printed, _enough_apart),
]
