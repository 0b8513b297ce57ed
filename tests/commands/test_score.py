"""The command that scores a run: only requested scores, each value once, errors of one line."""

import json
import subprocess
import sys

import pandas as pd
import pytest
from made_codes import finished_seed

R2 = {"evaluation_set": "marginal", "score": "r2"}
MCC = {"evaluation_set": "marginal", "score": {"kind": "mcc", "correlation": "spearman"}}


def score(folder, *requests, check=True):
    seeds = [finished_seed(folder / f"seed{seed}", seed) for seed in (0, 1)]
    command = [sys.executable, "-m", "demix.score", "--run", "mine", "--key", "k", "--requests", json.dumps(requests)]
    command += ["--results", *seeds, "--values", folder / "values", "--out", folder / "scores.parquet"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert not check or result.returncode == 0, result.stderr
    return result


def test_adding_a_score_computes_that_one_and_both_are_there(tmp_path):
    score(tmp_path, R2)
    first = {path: path.stat().st_mtime_ns for path in (tmp_path / "values").iterdir()}
    assert len(first) == 2  # seeds
    score(tmp_path, R2, MCC)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "values").iterdir()}
    assert len(kept) == 4
    assert first.items() <= kept.items()
    table = pd.read_parquet(tmp_path / "scores.parquet")
    assert table[["seed", "score"]].values.tolist() == [
        [0, "r2"], [0, "mcc(correlation=spearman)"], [1, "r2"], [1, "mcc(correlation=spearman)"]
    ]  # fmt: skip
    assert table["value"].tolist() == pytest.approx([1, 1, 1, 1])


@pytest.mark.parametrize(
    ("requests", "message"),
    [
        ([{"evaluation_set": "margnal", "score": "r2"}], "unknown evaluation set 'margnal' (did you mean 'marginal'?)"),
        ([{"evaluation_set": "marginal", "score": "r3"}], "--requests.0.score: unknown kind 'r3'"),
        ([{"evaluation_set": "marginal"}], "--requests.0.score: this key is missing"),
    ],
)
def test_what_cannot_be_scored_is_one_clear_error(tmp_path, requests, message):
    result = score(tmp_path, *requests, check=False)
    assert result.returncode == 1
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "scores.parquet").exists()


def test_scoring_never_imports_torch(tmp_path):
    folder = finished_seed(tmp_path / "seed0")
    code = "import sys; from demix.score import main; main(); assert 'torch' not in sys.modules"
    command = [sys.executable, "-c", code, "--run", "mine", "--requests", json.dumps([R2, MCC]), "--results", folder]
    subprocess.run([*command, "--values", tmp_path / "values", "--out", tmp_path / "out.parquet"], check=True)
