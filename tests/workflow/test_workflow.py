"""The workflow itself, at scale smoke, in a clean copy of the project."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from project import copy_project, edited, environment, planned, snakemake

SMALL = """
scale: smoke
suites:
  small:
    problems:
      sph-uni-vmf50: {space: sphere, marginal: uniform, conditional: {kind: vmf, concentration: 50}}
    runs:
      mine: {problem: sph-uni-vmf50, model: icml_synthetic/sph-vmf1, training: icml_synthetic/contrastive}
    tables:
      small:
        title: A small table
        metrics: [r2, mcc]
        rows:
          first: {identity: raw_box-uni, supervised: sup_box-uni_unb, unsupervised: box-uni-lap005_unb-lap}
          mine: {identity: raw_sph-uni, unsupervised: mine}
    scales:
      smoke: {problems: {"*": {dim: 2, evaluation_samples: 256, generator: {candidates: 100}}}}
"""


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """What git tracks or would add, and nothing else."""
    return copy_project(tmp_path_factory.mktemp("clone") / "demix")


@pytest.fixture(scope="module")
def finished(clone):
    """The clone after a run of a small table: one row of ICML Table 1 and one of its own."""
    (clone / "small.yaml").write_text(SMALL)
    snakemake(clone, "small", "--configfile", "small.yaml")
    return clone


def cells(folder, *arguments):
    """What `demix.cells --json` says, run in the folder."""
    command = [sys.executable, "-m", "demix.cells", "--json", *arguments]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment(folder), check=True)
    return [json.loads(line) for line in result.stdout.splitlines()]


def folder_of(folder, run):
    """The folder of a run of the small table as it is now; those of other keys may lie beside it."""
    listed = cells(folder, run, "--configfile", "small.yaml")
    return folder / Path(listed[0]["target"]).parent.parent


def test_a_clean_copy_ends_with_a_table(finished):
    tables = finished / "results/smoke/tables"
    endings = {".parquet", ".md", ".tex", ".html", ".csv", ".txt"}
    assert {path.suffix for path in tables.glob("small.*")} == endings
    assert pd.read_parquet(tables / "small.claims.parquet").empty
    table = pd.read_parquet(tables / "small.parquet")
    assert len(table) == 10
    assert table["mean"].notna().all()
    assert (table["n_seeds"] == 2).all()
    assert (table["verdict"] == "not printed").all()
    assert (table["outcome"] == "finished").all()


def test_a_clone_runs_its_own_code_in_the_environment_of_another(clone):
    with edited(clone, "src/demix/support/environment.py", "import os\n", "raise SystemExit('this very code')\n"):
        result = snakemake(clone, "-n", "theory", check=False, PYTHONPATH="")
    assert result.returncode != 0
    assert "this very code" in result.stdout + result.stderr


def test_the_package_of_another_clone_is_named(clone, tmp_path):
    other = tmp_path / "src" / "demix"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("")
    imported = tmp_path / "sitecustomize.py"  # as a profile does that has functions of demix
    imported.write_text(f"import sys; sys.path.insert(0, {str(other.parent)!r}); import demix\n")
    result = snakemake(clone, "-n", "theory", check=False, PYTHONPATH=str(tmp_path))
    assert result.returncode != 0
    assert f"demix: error: the package demix is that of {other}" in result.stdout + result.stderr
    assert f"give `make env` in {clone}" in result.stdout + result.stderr


def test_a_run_leaves_its_history_and_provenance(finished):
    folder = folder_of(finished, "mine") / "seed1"
    assert {path.name for path in folder.iterdir()} == {
        "encoder.pt", "codes.npz", "history.parquet", "provenance.json"
    }  # fmt: skip
    history = pd.read_parquet(folder / "history.parquet")
    assert list(history["step"]) == list(range(1, 21))
    assert (history["loss"] - history["alignment"] - history["logsumexp"]).abs().max() < 1e-5
    assert history[["r2", "mcc"]].dropna().shape[0] == 2


def test_a_finished_table_is_not_made_again(finished):
    result = snakemake(finished, "-n", "small", "--configfile", "small.yaml")
    assert "Nothing to be done" in result.stdout + result.stderr


def test_entries_of_ones_own_come_after_those_of_the_workflow(finished):
    (finished / "other.yaml").write_text(
        "suites:\n"
        "  icml_synthetic:\n"
        "    scales: {smoke: {trainings: {contrastive: {steps: 7}}}}\n"  # after "*": {steps: 20}
        "    tables: {icml_table2: {rows: {last: {unsupervised: mine}}}}\n"
    )
    result = snakemake(finished, "-n", "-p", "icml_table2", "--configfile", "small.yaml", "other.yaml")
    text = result.stdout + result.stderr
    assert '"steps": 7' in text
    rows = re.search(r'"rows":\{(.*?)"stand_in"|"rows":\{(.*)', text, re.DOTALL)[0]
    assert rows.index("box-uni-norm005_unb-gn3") < rows.index('"last"')
    listed = cells(finished, "--json", "--configfile", "small.yaml", "other.yaml")
    assert all(cell["target"] in text for cell in listed if cell["run"] == "mine")


def test_the_printed_command_of_a_cell_trains_it_anew_and_nothing_else(finished):
    options = ["--table", "small", "--configfile", "small.yaml"]
    listed = cells(finished, *options)
    assert {cell["state"] for cell in listed} == {"done"}
    cell = next(cell for cell in listed if (cell["run"], cell["seed"]) == ("mine", 1))
    runs = finished / "results/smoke/runs"
    before = {path: path.stat().st_mtime_ns for path in runs.glob("*/seed*/codes.npz")}
    weights = (finished / cell["target"]).with_name("encoder.pt").read_bytes()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = environment(finished, PATH=path)
    subprocess.run(["sh", "-c", cell["command"]], cwd=finished, env=variables, check=True, capture_output=True)
    changed = {path for path in before if path.stat().st_mtime_ns != before[path]}
    assert changed == {finished / cell["target"]}
    assert (finished / cell["target"]).with_name("encoder.pt").read_bytes() == weights
    jobs = planned(snakemake(finished, "-n", "small", "--configfile", "small.yaml"))
    assert set(jobs) - {"total"} == {"score", "collect", "render_table", "small"}
    snakemake(finished, "small", "--configfile", "small.yaml")


def test_a_failed_workflow_ends_with_what_exists_and_says_which_cell_failed(finished):
    (finished / "broken.yaml").write_text(
        "suites:\n"
        "  small:\n"
        "    trainings: {broken: {steps: 20, batch_size: 32, rate_factors: {nothing: 2}}}\n"
        "    runs: {broken: {problem: sph-uni-vmf50, model: icml_synthetic/sph-vmf1, training: broken}}\n"
        "    tables: {small: {rows: {broken: {unsupervised: broken}}}}\n"
    )
    files = ["--configfile", "small.yaml", "broken.yaml"]
    result = snakemake(finished, "small", *files, check=False)
    assert result.returncode != 0
    assert "what exists: results/smoke/tables/small.partial.txt" in result.stdout + result.stderr
    table = pd.read_parquet(finished / "results/smoke/tables/small.partial.parquet")
    assert set(table.loc[table["run"] == "broken", "verdict"]) == {"missing"}
    assert table.loc[table["run"] != "broken", "mean"].notna().all()
    failed = [cell for cell in cells(finished, "--table", "small", *files) if cell["state"] == "failed"]
    assert {(cell["run"], cell["seed"]) for cell in failed} == {("broken", 0), ("broken", 1)}
    assert "rate_factors name no parameter of the model: nothing" in failed[0]["message"]
    assert (finished / failed[0]["log"]).exists()
    snakemake(finished, "--force", "results/smoke/tables/small.parquet", "--configfile", "small.yaml")
    assert not list(finished.glob("results/smoke/tables/small.partial.*"))


def test_the_report_holds_the_tables(finished):
    suite = yaml.safe_load((finished / "suites/icml_synthetic.yaml").read_text())
    for part in (suite, *suite["scales"].values()):
        for shown in ("tables", "figures"):
            part.pop(shown, None)
    (finished / "suites/runs_alone.yaml").write_text(yaml.safe_dump(suite, sort_keys=False))
    config = yaml.safe_load((finished / "workflow_config.yaml").read_text())
    alone = yaml.safe_dump(config | {"suites": {"icml_synthetic": {"file": "suites/runs_alone.yaml"}}}, sort_keys=False)
    with edited(finished, "workflow_config.yaml", (finished / "workflow_config.yaml").read_text(), alone):
        snakemake(finished, "report", "--configfile", "small.yaml")
    page = (finished / "results/smoke/report.html").read_text()
    assert "small.html" in page
    assert "our numbers beside the printed ones" in page


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("src/demix/training/progress.py", "SECONDS_BETWEEN_LINES = 10.0", "SECONDS_BETWEEN_LINES = 11.0"),
        ("src/demix/training/checkpoint.py", "SECONDS_BETWEEN = 60.0", "SECONDS_BETWEEN = 61.0"),
        ("src/demix/objectives/lp_infonce.py", '"""InfoNCE with minus', '"""A text. InfoNCE with minus'),
        ("src/demix/latents/densities/vmf.py", "def on_sphere", "# a remark\n    def on_sphere"),
        ("rules/report/table.rst", "the printed number", "the number in print"),
        ("src/demix/cells.py", "runs × seeds", "seeds and runs"),
        ("suites/icml_synthetic.yaml", "concentration: 10}", "concentration: 11}"),  # another row
    ],
)
def test_edits_that_decide_no_result_plan_nothing(finished, file, old, new):
    with edited(finished, file, old, new):
        result = snakemake(finished, "-n", "small", "--configfile", "small.yaml")
    assert "Nothing to be done" in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("src/demix/objectives/kernels/elementwise.py", "exponent == 1:", "exponent == 1.0:"),
        ("src/demix/latents/densities/vmf.py", "one_minus_x0 = 2 * b", "one_minus_x0 = 2.0 * b"),
        ("small.yaml", "concentration: 50", "concentration: 51"),
    ],
)
def test_an_edit_that_decides_a_result_plans_what_depends_on_it(finished, file, old, new):
    with edited(finished, file, old, new):
        jobs = planned(snakemake(finished, "-n", "small", "--configfile", "small.yaml"))
    assert (jobs["train"], jobs["score"], jobs["collect"]) == (2, 1, 1)
    assert "synthetic_problem" not in jobs


def test_results_of_another_key_lie_beside_the_old_ones_which_are_good_for_the_old_code(finished):
    arguments = ["small", "--configfile", "small.yaml"]
    before = {path: path.read_bytes() for path in finished.glob("results/smoke/runs/*/seed*/encoder.pt")}
    with edited(finished, "src/demix/latents/densities/vmf.py", "one_minus_x0 = 2 * b", "one_minus_x0 = 2.0 * b"):
        snakemake(finished, *arguments)
        listed = cells(finished, "--table", "small", "--configfile", "small.yaml")
        assert {cell["state"] for cell in listed} == {"done"}
    after = {path: path.read_bytes() for path in finished.glob("results/smoke/runs/*/seed*/encoder.pt")}
    assert {path.parent.parent.name.rsplit("-", 1)[0] for path in after.keys() - before.keys()} == {"mine"}
    assert {path: after[path] for path in before} == before
    jobs = planned(snakemake(finished, "-n", *arguments))
    assert not {"train", "score", "synthetic_problem"} & set(jobs)
    snakemake(finished, *arguments)


def test_touched_files_train_nothing(finished):
    for path in [finished / "workflow_config.yaml", *finished.glob("src/demix/**/*.py"), *finished.glob("rules/*")]:
        path.touch()
    for card in finished.glob("results/data/**/card.json"):
        card.touch()
    assert "train" not in planned(snakemake(finished, "-n", "small", "--configfile", "small.yaml"))


def test_more_seeds_train_only_the_new_ones(finished):
    jobs = planned(snakemake(finished, "-n", "small", "--configfile", "small.yaml", "--config", "seeds=3"))
    assert (jobs["train"], jobs["synthetic_problem"], jobs["score"]) == (3, 2, 5)


def test_a_changed_row_trains_only_that_row(finished):
    (finished / "other.yaml").write_text(
        "suites: {small: {problems: {sph-uni-vmf50: {conditional: {concentration: 60}}}}}\n"
    )
    jobs = planned(snakemake(finished, "-n", "small", "--configfile", "small.yaml", "other.yaml"))
    assert (jobs["train"], jobs["score"], jobs["collect"]) == (2, 1, 1)
    assert "synthetic_problem" not in jobs


def test_a_score_and_an_evaluation_set_that_are_added_later_train_nothing(finished):
    (finished / "other.yaml").write_text(
        "suites: {small: {tables: {more: {title: A, metrics: [r2, isometry_gap], rows: {a: {unsupervised: mine}}}}}}\n"
    )
    files = ["--configfile", "small.yaml", "other.yaml"]
    jobs = planned(snakemake(finished, "-n", "more", *files))
    assert set(jobs) == {"score", "collect", "render_table", "more", "total"}
    kept = {path.name for path in (finished / "results/smoke/scores/values").iterdir()}
    snakemake(finished, "more", *files)
    added = {path.name for path in (finished / "results/smoke/scores/values").iterdir()} - kept
    assert len(added) == 2  # one a seed, the others are known
    (finished / "other.yaml").write_text(
        "suites: {small: {scales: {smoke: {problems: {'*': {evaluation_samples: 300}}}}}}\n"
    )
    jobs = planned(snakemake(finished, "-n", "small", *files))
    assert "train" not in jobs
    assert jobs["encode_set"] == 2
    snakemake(finished, "small", "--configfile", "small.yaml")  # scores as they were


def test_a_title_trains_nothing(finished):
    (finished / "other.yaml").write_text("suites: {small: {tables: {small: {title: Another title}}}}\n")
    jobs = planned(snakemake(finished, "-n", "small", "--configfile", "small.yaml", "other.yaml"))
    assert set(jobs) - {"total"} == {"collect", "render_table", "small"}


FIGURES = """
suites:
  icml_synthetic:
    sweeps:
      grid:
        {problem: sph-vmf-vmf, model: sph-vmf1, training: contrastive, vary: {problem.marginal.concentration: [2, 8]}}
  small:
    figures:
      small_figure: {kind: marginal_sweep, title: A small figure, panels: {only: {title: Sphere, sweep: grid}}}
      small_theory:
        kind: theory
        title: A small theory
        draws: 20000
        negatives: [16]
        box: [{kind: normal, std: 0.1}]
        box_dims: [1]
"""


def test_figures_come_from_the_configuration_alone(finished):
    (finished / "figures.yaml").write_text(FIGURES)
    configs = ["--configfile", "small.yaml", "figures.yaml"]
    snakemake(finished, "small_figure", "small_theory", *configs)
    folder = finished / "results/smoke/figures"
    assert {path.name for path in folder.iterdir()} == {
        *(f"small_figure.{ending}" for ending in ("parquet", "claims.parquet", "pdf", "png", "svg", "md")),
        *(f"small_theory.{ending}" for ending in ("pdf", "png", "svg", "md")),
    }
    points = pd.read_parquet(folder / "small_figure.parquet")
    assert list(points["concentration"]) == [2, 8]
    assert (points["n_seeds"] == 2).all()
    assert points["mean"].notna().all()
    checks = pd.read_parquet(finished / "results/smoke/tables/small_theory.parquet")
    assert list(checks["quantity"]) == ["loss − log M on [0, 1]¹, Normal(σ=0.1), M = 16"]
    assert checks["z"].abs().max() < 5
    again = snakemake(finished, "-n", "small_figure", "small_theory", *configs)
    assert "Nothing to be done" in again.stdout + again.stderr
    (finished / "wider.yaml").write_text(
        "suites: {icml_synthetic: {sweeps: {grid: {vary: {problem.marginal.concentration: [2, 8, 32]}}}}}\n"
    )
    jobs = planned(snakemake(finished, "-n", "small_figure", *configs, "wider.yaml"))
    assert (jobs["train"], jobs["score"], jobs["collect_figure"]) == (2, 1, 1)
    (finished / "title.yaml").write_text("suites: {small: {figures: {small_figure: {title: Another title}}}}\n")
    jobs = planned(snakemake(finished, "-n", "small_figure", *configs, "title.yaml"))
    assert set(jobs) - {"total"} == {"collect_figure", "render_figure", "small_figure"}


def test_what_exists_of_a_table_can_be_shown(finished):
    scores = finished / f"results/smoke/scores/{folder_of(finished, 'mine').name}.parquet"
    hidden = scores.rename(scores.with_suffix(".hidden"))
    seed = folder_of(finished, "mine") / "seed1"
    aside = seed.rename(finished / "aside")
    command = [sys.executable, "-m", "demix.collect", "--partial", "small", "--configfile", "small.yaml"]
    result = subprocess.run(
        command, cwd=finished, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(finished / "src")}
    )
    aside.rename(seed)
    hidden.rename(scores)
    assert result.returncode == 0, result.stderr
    table = pd.read_parquet(finished / "results/smoke/tables/small.partial.parquet")
    assert list(table[table["run"] == "mine"]["n_seeds"]) == [1, 1]
    assert "A small table" in result.stdout


def test_a_truncated_scores_file_is_named_and_nothing_is_lost(finished):
    scores = finished / f"results/smoke/scores/{folder_of(finished, 'mine').name}.parquet"
    whole = scores.read_bytes()
    scores.write_bytes(whole[:100])
    result = snakemake(finished, "small", "--configfile", "small.yaml", check=False)
    scores.write_bytes(whole)
    assert result.returncode != 0
    named = [line for line in (result.stdout + result.stderr).splitlines() if line.startswith("demix: error: ")]
    assert named
    assert scores.name in named[0]
    assert (folder_of(finished, "mine") / "seed0/codes.npz").exists()
    snakemake(finished, "small", "--configfile", "small.yaml")


def test_moved_data_and_another_device_train_nothing(finished, monkeypatch):
    (finished / "results/data").rename(finished / "elsewhere")
    monkeypatch.setenv("DEMIX_DATA", str(finished / "elsewhere"))
    arguments = ["-n", "small", "--configfile", "small.yaml", "--config", "device=cpu"]
    jobs = planned(snakemake(finished, *arguments))
    (finished / "elsewhere").rename(finished / "results/data")
    assert not {"train", "synthetic_problem"} & set(jobs)


def test_changed_code_of_a_light_step_makes_only_its_results_anew(finished):
    change = ("src/demix/scores/r2.py", "half = len(z) // 2", "half = (len(z) + 1) // 2")
    with edited(finished, *change):
        jobs = planned(snakemake(finished, "-n", "small", "--configfile", "small.yaml"))
    assert jobs["score"] == 5
    assert not {"train", "synthetic_problem"} & set(jobs)


def test_results_can_live_in_another_folder(clone, tmp_path):
    arguments = ["--snakefile", str(clone / "Snakefile"), "--directory", str(tmp_path), "--config", "scale=smoke"]
    jobs = planned(snakemake(clone, "-n", "icml_table1", *arguments))
    assert jobs["train"] == 34


def test_the_paper_scale_plans_every_run_and_seed_and_trains_no_identity(clone):
    result = snakemake(clone, "-n", "icml_table1", "icml_table2", "--config", "scale=paper")
    jobs = planned(result)
    assert (jobs["train"], jobs["synthetic_problem"], jobs["score"]) == (125, 25, 30)
    assert not re.search(r"train raw_", result.stdout + result.stderr)


def test_the_slurm_profile_is_found_by_its_short_name_and_plans_the_paper_scale(clone):
    assert planned(snakemake(clone, "--profile", "slurm", "-n", "icml_table1", "icml_table2"))["train"] == 125


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--config", "scale=papr"], "unknown scale 'papr' (did you mean 'paper'?)"),
        (["--config", "sclae=demo"], "unknown key 'sclae' (did you mean 'scale'?)"),
        (["--config", "seeds=0"], "config.seeds: input should be greater than 0, got 0"),
        (["icml_tabel1"], "No rule to produce icml_tabel1"),
        (["--configfile", "rule.yaml"], "'score' is a rule of the workflow, a table or figure needs another name"),
    ],
)
def test_bad_input_gets_a_clear_line_and_no_traceback(clone, arguments, message):
    (clone / "rule.yaml").write_text(
        "suites: {mine: {tables: {score: {title: A, metrics: [r2], rows: {a: {identity: raw_box-uni}}}}}}\n"
    )
    result = snakemake(clone, "-n", *arguments, check=False)
    assert result.returncode != 0
    assert message in result.stdout + result.stderr
    assert "Traceback" not in result.stdout + result.stderr
