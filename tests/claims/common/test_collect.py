"""The claims of a table or figure as a data frame."""

import pandas as pd
from printed import plan_of, printed_numbers

from demix.claims.common.collect import COLUMNS, claim_lines, collect_claims
from demix.collecting.plan import Missing


def test_small_problems_are_judged_by_their_structure_alone():
    claims = collect_claims(printed_numbers("icml_table1", "demo"), plan_of("icml_table1", "demo"))
    states = dict(zip(claims["claim"], zip(claims["state"], claims["reason"], strict=True), strict=True))
    assert claim_lines(claims)[0][0].startswith("✓ met in structure  icml-t1-structure: ")
    undecided = ("undecided", "scale too small")
    assert states == {"icml-t1-structure": ("met", ""), **{f"icml-t1-{letter}": undecided for letter in "abc"}}


def test_smoke_decides_nothing():
    claims = collect_claims(printed_numbers("icml_table2", "smoke"), plan_of("icml_table2", "smoke"))
    assert set(claims["state"]) == {"undecided"}


def test_nothing_is_decided_without_the_data():
    plan = plan_of("icml_table2").model_copy(update={"skipped": (Missing(reason="a", remedy="b"),)})
    claims = collect_claims(printed_numbers("icml_table2"), plan)
    assert set(claims["reason"]) == {"the data is not available"}


def test_a_stand_in_is_named_with_what_was_judged_on_it():
    plan = plan_of("icml_table1", "demo").model_copy(update={"stand_in": True})
    claims = collect_claims(printed_numbers("icml_table1", "demo"), plan)
    assert claim_lines(claims)[0][0].startswith("✓ met on a stand-in  icml-t1-structure: ")


def test_what_the_papers_claim_nothing_about_has_no_claims_and_a_file_all_the_same(tmp_path):
    """Whatever its columns are."""
    plan = plan_of("icml_table1").model_copy(update={"name": "mine"})
    claims = collect_claims(pd.DataFrame({"anything": [1]}), plan)
    claims.to_parquet(tmp_path / "mine.claims.parquet")
    back = pd.read_parquet(tmp_path / "mine.claims.parquet")
    assert back.empty
    assert list(back.columns) == list(COLUMNS)
    assert claim_lines(back) == []
