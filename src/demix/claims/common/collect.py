"""The claims of a table or figure as a tidy data frame, and back to words."""

from functools import cache
from importlib.resources import files
from typing import Any

import pandas as pd

from demix.claims.common.finding import claims_about
from demix.claims.common.judging import Check, Judgement, judge
from demix.collecting.plan import CollectPlan

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


def collect_claims(table: pd.DataFrame, plan: CollectPlan) -> pd.DataFrame:
    """Judge the claims about a collected table or figure.

    Args:
        table: what `demix.tables.collect.collect` returned; of a figure with the same columns, as far as its claims
            look at them, and with any where it has none.
        plan: the plan it was made with.

    Returns:
        One row for each check; one row without a check for a claim that has none. Columns: table, scale, claim,
        statement, source, form (what was judged: "printed", the statement itself; "structural", what it says of the
        structure of the results; "stand-in", the same of data that was made in place of the published), state ("met",
        "not met", "undecided"), reason (why undecided), quantity, value, relation, bound, row_id (the row that
        decides), holds. No rows where the papers claim nothing.
    """
    rows = []
    for claim in claims_about(plan.name):
        judgement = judge(claim, table, plan.claims)
        if plan.skipped:
            judgement = Judgement(claim.id, judgement.form, "undecided", "the data is not available")
        words = statements().loc[claim.id]
        shared = {"table": plan.name, "scale": plan.scale, "claim": claim.id, "statement": words["statement"]}
        form = "stand-in" if plan.stand_in and judgement.form == "structural" else judgement.form
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
