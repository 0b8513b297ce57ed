"""Which claims there are: those of the module of a table's or figure's name."""

from demix.claims.common.finding import claims_about, claims_module, judged


def test_claims_are_found_by_the_name_of_a_table_or_figure():
    assert {"icml_table1", "icml_figure2", "workshop_table5"} <= set(judged())
    assert [claim.id for claim in claims_about("icml_table2")] == ["icml-t2-a", "icml-t2-b"]
    assert claims_module("icml_table2") == ("demix.claims.icml_table2",)


def test_helpers_and_other_names_have_none():
    for name in ("common", "mine", "my.table", "__init__"):
        assert claims_about(name) == []
        assert claims_module(name) == ()
