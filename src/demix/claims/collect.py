"""The claims of a table as a tidy data frame, and back to words."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import pandas as pd

from demix.claims.base import Check, Claim, Judgement, judge
from demix.claims.icml_figure2 import CLAIMS as ICML_FIGURE2
from demix.claims.icml_tables import CLAIMS as ICML_TABLES
from demix.claims.kitti_tables import CLAIMS as KITTI_TABLES
from demix.claims.threedident_tables import CLAIMS as THREEDIDENT_TABLES
from demix.claims.workshop_table1 import CLAIMS as WORKSHOP_TABLE1

CLAIMS: tuple[Claim, ...] = (
    *ICML_TABLES,
    *KITTI_TABLES,
    *THREEDIDENT_TABLES,
    *ICML_FIGURE2,
    *WORKSHOP_TABLE1,
)
FORMS = {"structural": " in structure", "stand-in": " on a stand-in"}
"""How a form of a claim that is not the printed one is named behind its state."""

MARKS = {"met": "✓", "not met": "✗", "undecided": "?"}
COLUMNS = {
    "table": "string", "scale": "string", "claim": "string", "statement": "string", "source": "string",
    "form": "string", "state": "string", "reason": "string", "quantity": "string", "value": "float64",
    "relation": "string", "bound": "float64", "row_id": "string", "holds": "boolean",
}  # fmt: skip


@cache
def statements() -> pd.DataFrame:
    """Every claim in words, with its source, by id."""
    with (files("demix.published") / "claims.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file, index_col="claim")


def collect_claims(table: pd.DataFrame, plan: Mapping[str, Any]) -> pd.DataFrame:
    """Judge the claims about a collected table.

    Args:
        table: what `demix.tables.collect.collect` returned.
        plan: the plan it was made with.

    Returns:
        One row for each check; one row without a check for a claim that has none. Columns: table, scale, claim,
        statement, source, form (what was judged: "printed", the statement itself; "structural", what it says of the
        structure of the results; "stand-in", the same of data that was made in place of the published), state ("met",
        "not met", "undecided"), reason (why undecided), quantity, value, relation, bound, row_id (the row that
        decides), holds. No rows for a table without claims.
    """
    rows = []
    for claim in CLAIMS:
        if claim.table != plan["table"]:
            continue
        judgement = judge(claim, table, plan["claims"])
        if plan.get("skipped"):
            judgement = Judgement(claim.id, judgement.form, "undecided", "the data is not available")
        words = statements().loc[claim.id]
        shared = {"table": plan["table"], "scale": plan["scale"], "claim": claim.id, "statement": words["statement"]}
        form = "stand-in" if plan.get("stand_in") and judgement.form == "structural" else judgement.form
        shared |= {"source": words["source"], "form": form}
        shared |= {"state": judgement.state, "reason": judgement.reason}
        rows += [shared | _columns_of(check) for check in judgement.checks] or [shared]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def _columns_of(check: Check) -> dict[str, Any]:
    return {
        "quantity": check.quantity,
        "value": check.value,
        "relation": check.relation,
        "bound": check.bound,
        "row_id": check.row,
        "holds": check.holds,
    }


def claim_lines(claims: pd.DataFrame) -> list[tuple[str, str]]:
    """The claims for readers: statement with its mark, and the numbers behind it.

    Args:
        claims: what `collect_claims` returned, or its parquet file.
    """
    lines = []
    for _, checks in claims.groupby("claim", sort=False):
        first = checks.iloc[0]
        where = "" if first["state"] == "undecided" else FORMS.get(first["form"], "")
        head = f"{MARKS[first['state']]} {first['state']}{where}  {first['claim']}: {first['statement']}."
        behind = "; ".join(_check_text(check) for check in checks.itertuples() if pd.notna(check.quantity))
        lines.append((head, ". ".join(filter(None, [_capital(first["reason"]), _capital(behind)])) + "."))
    return lines


def _check_text(check: Any) -> str:
    relation = check.relation if check.holds else f"not {check.relation}"
    return f"{check.quantity} {check.value:.2f} {relation} {check.bound:g} ({check.row_id})"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
