"""The command that collects a table: whole from a plan and scores, partly from what exists; and rendering."""

import subprocess
import sys

import pandas as pd
import pytest
from made_codes import finished_seed
from made_scores import made_scores
from project import CONFIG

from demix.collect import write_all_partial, write_partial
from demix.experiment.experiment import load_experiment
from demix.support.files import write_json
from demix.tables.plan import table_plan
from demix.workflow.paths import seed_folder

NAME = "trained_maps"


def run(module, *arguments, check=True):
    result = subprocess.run([sys.executable, "-m", f"demix.{module}", *arguments], capture_output=True, text=True)
    assert not check or result.returncode == 0, result.stderr
    return result


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return load_experiment(CONFIG, scale="smoke")


def test_a_plan_and_scores_become_a_table_with_its_claims_and_all_formats(experiment, tmp_path):
    plan = table_plan(experiment, NAME)
    for name in plan.runs:
        made_scores(name, [0.5, 0.7], score="isometry_gap").to_parquet(tmp_path / f"{name}.parquet")
    files = [tmp_path / f"{name}.parquet" for name in plan.runs]
    out = tmp_path / "tables" / f"{NAME}.parquet"
    run("collect", "--plan", plan.model_dump_json(), "--scores", *files, "--out", out)
    table = pd.read_parquet(out)
    assert table.loc[table["metric"] == "isometry_gap", "mean"].tolist() == pytest.approx([60.0] * 4)
    assert pd.read_parquet(out.with_suffix(".claims.parquet")).empty
    run("render_table", out)
    assert "60.0±14.1" in out.with_suffix(".txt").read_text()
    assert {path.suffix for path in out.parent.iterdir()} == {".parquet", ".md", ".tex", ".html", ".csv", ".txt"}


def test_data_that_is_not_there_is_told_in_the_table(experiment, tmp_path):
    card, out = tmp_path / "card.json", tmp_path / "mine.parquet"
    write_json(card, {"available": False, "reason": "no network", "remedy": "plug it in"})
    run("collect", "--plan", table_plan(experiment, NAME).model_dump_json(), "--data", card, "--out", out)
    run("render_table", out)
    assert "Skipped: no network. Remedy: plug it in." in out.with_suffix(".md").read_text()


def test_a_table_of_what_exists_shows_the_rest_as_missing(experiment):
    member = experiment.runs["sph-uni-vmf1_sph-vmf1"]
    assert write_all_partial(experiment) == []
    keys = {"marginal": member.spec.problem.set_key("marginal")}
    finished_seed(seed_folder(experiment, member, 1), 1, keys=keys)
    text = write_partial(experiment, NAME).read_text()
    assert text.count("missing") >= 9
    assert "100.0 n=1" in text  # dot products are kept
    written = {path.name for path in write_all_partial(experiment)}
    assert f"{NAME}.partial.txt" in written
    assert "icml_table2.partial.txt" not in written


def test_a_command_without_a_plan_or_a_name_says_what_is_missing():
    result = run("collect", check=False)
    assert result.stderr == "demix: error: give --plan, --scores and --out, or --partial TABLE\n"


@pytest.mark.parametrize("content", [b"PAR1", None])
def test_what_is_no_table_ends_a_command_without_a_traceback(tmp_path, content):
    path = tmp_path / "icml_table1.parquet"
    if content:
        path.write_bytes(content)
    else:
        pd.DataFrame({"x": [1]}).to_parquet(path)
        pd.DataFrame({"x": [1]}).to_parquet(path.with_suffix(".claims.parquet"))
    result = run("render_table", path, check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("demix: error: ")
    assert len(result.stderr.splitlines()) == 1
    assert path.exists()
