"""Parts of a user's own: the second half of docs/extending.md, word for word, ends in a table."""

import hashlib
import json
import os
import re
import subprocess
import sys

import pandas as pd
import pytest
from extending import write_own_parts
from file_server import FileServer
from kites import file_content
from project import ROOT, copy_project, edited, environment, planned, snakemake

from demix import fetch_file, obtain_data
from demix.experiment.experiment import load_experiment
from demix.workflow import paths


def contents(folder):
    """Digest of every file of a clone."""
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    return copy_project(tmp_path_factory.mktemp("clone") / "demix")


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A folder outside the clone with the files of the text."""
    return write_own_parts(tmp_path_factory.mktemp("own"))


def run(clone, own, *more, targets=("my_table",), files=("mine.yaml",)):
    """As in the text, from another folder than the clone, by relative paths."""
    configs = [os.path.relpath(own / name, own.parent) for name in files]
    options = ["--snakefile", str(clone / "Snakefile"), "--directory", own.name, "--configfile", *configs]
    return snakemake(own.parent, *targets, *options, *more, "--config", "seeds=1", PYTHONPATH=str(clone / "src"))


@pytest.fixture(scope="module")
def finished(clone, own):
    before = contents(clone)
    run(clone, own)
    assert contents(clone) == before
    return own


def test_a_data_set_pair_law_encoder_objective_and_score_of_ones_own_end_in_a_rendered_table(finished):
    table = pd.read_parquet(finished / "results/smoke/tables/my_table.parquet").set_index(["setting", "metric"])
    assert set(table.index) == {("identity", "r2"), ("unsupervised", "r2"), ("unsupervised", "neighbours")}
    assert table["mean"].notna().all()
    assert table.loc[("unsupervised", "neighbours"), "mean"] > 50  # by chance 4 of 19
    text = (finished / "results/smoke/tables/my_table.txt").read_text()
    assert "Where the dot is" in text
    assert "Neighbours [%]" in text
    (card,) = finished.glob("results/data/my_dots.DotsSpec/*/card.json")
    assert json.loads(card.read_text())["counts"] == {"train": 20}


def test_a_kind_of_figure_of_ones_own_is_drawn_from_what_is_there(clone, finished):
    result = run(clone, finished, targets=["losses"], files=["mine.yaml", "figures.yaml"])
    assert set(planned(result)) == {"collect_figure", "render_figure", "losses", "total"}
    folder = finished / "results/smoke/figures"
    assert list(pd.read_parquet(folder / "losses.parquet")["step"]) == list(range(1, 301))
    assert (folder / "losses.png").read_bytes().startswith(b"\x89PNG")
    assert "The loss of dots_margin over training steps." in (folder / "losses.md").read_text()


def test_what_is_finished_is_not_made_again(clone, finished):
    assert planned(run(clone, finished, "-n")) == {}


def test_an_edit_of_ones_own_code_trains_anew_and_a_comment_does_not(clone, finished):
    with edited(finished, "my_dots.py", "np.exp(-4 * distance**2)", "np.exp(-5 * distance**2)"):
        jobs = planned(run(clone, finished, "-n"))
    assert (jobs["obtain_data"], jobs["train"], jobs["encode"], jobs["score"]) == (1, 1, 1, 2)
    with edited(finished, "my_dots.py", "# (count, height", "# a remark (count, height"):
        assert planned(run(clone, finished, "-n")) == {}


def test_keys_of_all_other_runs_are_unchanged(own):
    base = load_experiment(ROOT / "workflow_config.yaml", scale="smoke").runs
    with_own = load_experiment(ROOT / "workflow_config.yaml", own / "mine.yaml", scale="smoke").runs
    assert with_own.keys() - base.keys() == {"raw_dots", "dots_margin"}
    assert {name: with_own[name].key for name in base} == {name: run.key for name, run in base.items()}


@pytest.mark.usefixtures("no_proxy")
def test_the_data_set_with_a_download_is_fetched_and_converted(own, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my_kites", raising=False)
    content = file_content()
    with FileServer(content).running() as server:
        text = (own / "my_kites.py").read_text()
        for old, new in [
            (r"https://example\.org/kites\.npz", server.url),
            (r'"[0-9a-f]{64}"', f'"{hashlib.sha256(content).hexdigest()}"'),
        ]:
            text, count = re.subn(old, new, text)
            assert count == 1
        (tmp_path / "my_kites.py").write_text(text)
        (tmp_path / "kites.yaml").write_text((own / "kites.yaml").read_text())
        experiment = load_experiment(ROOT / "workflow_config.yaml", tmp_path / "kites.yaml", scale="smoke")
        spec, source = experiment.runs["raw_kites"].spec.problem.dataset, "my_kites.KitesSpec"
        (file,) = spec.files
        card = paths.fetched_card(source, file)
        fetch_file.provide(file, experiment.source_of(spec).urls_of(file), card)
    obtain_data.provide(spec, tmp_path / "data", files=[card])
    assert json.loads((tmp_path / "data/card.json").read_text())["counts"] == {"train": 4}
    assert (tmp_path / "results/data/files/my_kites.KitesSpec/kites.npz").read_bytes() == content


def test_planning_imports_no_implementation(own):
    code = (
        "import sys; from pathlib import Path; from demix.experiment.experiment import load_experiment\n"
        "from demix.workflow.plan.plan import WorkflowPlan\n"
        "WorkflowPlan(load_experiment(*map(Path, sys.argv[1:]), scale='smoke'))\n"
        "print([name for name in ('torch', 'matplotlib', 'demix.problems', 'my_drawings') if name in sys.modules])"
    )
    files = [str(ROOT / "workflow_config.yaml"), str(own / "mine.yaml"), str(own / "figures.yaml")]
    result = subprocess.run(
        [sys.executable, "-c", code, *files], capture_output=True, text=True, env=environment(ROOT), check=True
    )
    assert result.stdout.strip() == "[]"
