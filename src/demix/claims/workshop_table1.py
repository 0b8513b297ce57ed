"""The claim of the 2020 workshop paper, Table 1: as ICML Table 1, with other gaps."""

from demix.claims.common.judging import Cells, Check, Claim, at_least, at_most, differences, printed_rows

TABLE = "workshop_table1"
UNIFORM = printed_rows(TABLE, marginal="uniform")
NOT_UNIFORM = [row for row in printed_rows(TABLE) if row not in UNIFORM]


def _near_supervised(cells: Cells) -> list[Check]:
    distances = {row: abs(gap) for row, gap in differences(cells, UNIFORM, "unsupervised", "supervised").items()}
    gaps = differences(cells, NOT_UNIFORM, "supervised", "unsupervised")
    name = "supervised minus unsupervised R2, marginal not uniform"
    return [
        *at_most("distance from supervised R2, uniform marginal", distances, 0.4),
        *at_least(f"lowest {name}", gaps, 0.8),
        *at_most(f"highest {name}", gaps, 2.2),
    ]


CLAIMS = [Claim("workshop-t1-a", "r2", _near_supervised)]
