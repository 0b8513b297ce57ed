"""Finished tables in the terminal and in Markdown files."""

import subprocess
import sys

import pytest

from demix.show import renew
from demix.support.errors import DataError


@pytest.fixture
def finished(tmp_path, monkeypatch):
    folder = tmp_path / "results/demo/tables"
    folder.mkdir(parents=True)
    (folder / "icml_table1.txt").write_text("the table\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_table_in_a_markdown_file_is_renewed_and_the_rest_stays(finished):
    page = finished / "page.md"
    page.write_text("before\n<!-- table: icml_table1 demo -->\nold\n<!-- end -->\nafter\n")
    renew(page)
    once = page.read_text()
    assert once == "before\n<!-- table: icml_table1 demo -->\n```text\nthe table\n```\n<!-- end -->\nafter\n"
    renew(page)
    assert page.read_text() == once


def test_a_table_that_is_not_finished_leaves_the_markdown_file_alone(finished):
    page = finished / "page.md"
    page.write_text("<!-- table: icml_table2 demo -->\nold\n<!-- end -->\n")
    with pytest.raises(DataError, match=r"icml_table2\.txt: not there yet"):
        renew(page)
    assert "old" in page.read_text()


def test_finished_and_missing_tables_are_shown(finished):
    result = subprocess.run([sys.executable, "-m", "demix.show", "--scale", "demo"], capture_output=True, text=True)
    assert "the table" in result.stdout
    assert "results/demo/tables/icml_table1.{parquet,md,tex,html,csv,txt}" in result.stdout
    assert "make it with: snakemake icml_table2 --config scale=demo" in result.stdout


def test_an_unknown_table_is_named_with_its_nearest_spelling(finished):
    result = subprocess.run([sys.executable, "-m", "demix.show", "icml_tabel1"], capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr == (
        "demix: error: unknown table 'icml_tabel1' (did you mean 'icml_table1'?); allowed: icml_table1, icml_table2, "
        "icml_table3, icml_table4, icml_table5, trained_maps, workshop_table1, workshop_table5\n"
    )
