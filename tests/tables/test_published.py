"""The numbers that the papers print."""

from importlib.resources import files

from demix.tables.published import published_table


def test_all_published_numbers_come_with_the_package():
    names = (entry.name.removesuffix(".csv") for entry in files("demix.published").iterdir())
    counts = {
        name: len(table) for name in names if "row_id" in (table := published_table(name)).columns and len(table) > 0
    }
    assert counts["icml_table1"] == 36
    assert counts["icml_table2"] == 30
    assert len(counts) == 16
    assert sum(counts.values()) == 327


def test_a_table_that_the_papers_do_not_have_is_empty():
    assert published_table("mine").empty
    assert {"row_id", "setting", "metric", "mean", "block"} <= set(published_table("mine").columns)
