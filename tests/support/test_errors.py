"""Errors of one line that name the nearest valid spelling."""

from demix.support.errors import unknown


def test_a_name_that_does_not_exist_is_told_with_the_nearest_one():
    assert unknown("table", "icml_tabel1", ["icml_table2", "icml_table1", "theory"]) == (
        "unknown table 'icml_tabel1' (did you mean 'icml_table1'?); allowed: icml_table1, icml_table2, theory"
    )


def test_a_name_that_is_like_no_other_has_no_hint():
    assert unknown("kind", "zzz", ["box"]) == "unknown kind 'zzz'; allowed: box"
    assert unknown("kind", "zzz", []) == "unknown kind 'zzz'; allowed: none"
