"""The view of every cell: states read from files, commands, stale results."""

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
from project import CONFIG

from demix import cells
from demix.experiment.experiment import load_experiment
from demix.support.errors import ConfigError
from demix.support.processes import PATIENCE_SECONDS, is_alive, this_process
from demix.support.provenance import Provenance
from demix.training.progress import Progress
from demix.training.status import Status
from demix.workflow import paths, planned
from demix.workflow.slurm import Job
from demix.workflow.stale import stale_results
from demix.workflow.states import STATES, state_of

RUN, RAW = "sph-uni-vmf1_sph-vmf1", "raw_sph-uni"


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DEMIX_DATA", raising=False)
    return load_experiment(CONFIG, scale="demo")


def folder_of(experiment, run=RUN, seed=0):
    folder = paths.seed_folder(experiment, experiment.runs[run], seed)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def finish(folder, outcome="finished"):
    (folder / "codes.npz").touch()
    record = Provenance(seed=0, device={"type": "cpu", "name": "a"}, outcome=outcome, steps=1300)
    record.write(folder / "provenance.json")


def write_log(experiment, text, run=RUN):
    log = paths.log_file(experiment, experiment.runs[run], 0)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(text)
    return log


def state(experiment, run=RUN, queued=(), older=False):
    return state_of(experiment, experiment.runs[run], 0, queued, older)


def dead_process():
    """The record of a process that has ended."""
    code = "import json; from demix.support.processes import this_process; print(json.dumps(this_process()))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return json.loads(output)


def test_without_a_file_a_run_is_missing_queued_or_stale(experiment):
    assert state(experiment).state == "missing"
    target = str(paths.seed_folder(experiment, experiment.runs[RUN], 0) / "codes.npz")
    assert state(experiment, queued={target}).state == "queued"
    assert state(experiment, older=True).state == "stale"


def test_finished_and_diverged_runs(experiment):
    finish(folder_of(experiment))
    assert state(experiment).state == "done"
    finish(folder_of(experiment), "diverged")
    assert (state(experiment).state, state(experiment).message) == ("diverged", "at step 1,300")
    finish(folder_of(experiment, RAW))
    assert state(experiment, RAW).state == "done"


def test_codes_without_provenance_are_not_done(experiment):
    (folder_of(experiment) / "codes.npz").touch()
    assert state(experiment).state == "missing"


def test_a_running_process_tells_its_step_and_the_time_left(experiment, monkeypatch):
    monkeypatch.setattr("demix.training.status.SECONDS_BETWEEN", 0.0)
    status = Status(folder_of(experiment) / "checkpoint")
    assert (state(experiment).state, state(experiment).step) == ("running", None)
    status.report(300, 1300, 50.0)
    found = state(experiment)
    assert (found.state, found.step, found.steps, found.seconds_left) == ("running", 300, 1300, 20.0)
    assert f"process {os.getpid()}" in found.message


def test_a_record_is_written_once_in_ten_seconds_and_none_on_a_full_disk(tmp_path, monkeypatch):
    status = Status(tmp_path)
    written = status.path.read_text()
    status.report(1, 10, 1.0)
    assert status.path.read_text() == written

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    status.ended("failed", "why")
    assert status.path.read_text() == written


def test_a_killed_process_leaves_an_interrupted_run_that_a_new_workflow_queues(experiment):
    status = Status(folder_of(experiment) / "checkpoint")
    record = json.loads(status.path.read_text()) | dead_process() | {"step": 7, "steps": 9, "steps_per_second": 1.0}
    status.path.write_text(json.dumps(record))
    found = state(experiment)
    assert (found.state, found.step, found.message) == ("interrupted", 7, "killed")
    target = str(folder_of(experiment) / "codes.npz")
    assert state(experiment, queued={target}).state == "queued"


def test_a_process_id_that_another_process_has_now_is_not_the_same_process():
    record = this_process()
    assert is_alive(record, 0.0)
    assert not is_alive(record | {"process_start": "1"}, time.time())
    assert not is_alive({"host": record["host"]}, time.time())


def test_a_process_elsewhere_lives_as_long_as_it_writes():
    record = this_process() | {"host": "elsewhere"}
    assert is_alive(record, time.time() - PATIENCE_SECONDS + 20)
    assert not is_alive(record, time.time() - PATIENCE_SECONDS - 20)


def test_stopped_and_failed_runs_say_why(experiment):
    log = write_log(experiment, "much\nmore\n")
    status = Status(folder_of(experiment) / "checkpoint")
    status.ended("interrupted", "stopped by signal 15")
    assert (state(experiment).state, state(experiment).message) == ("interrupted", "stopped by signal 15")
    status.ended("failed", "no such device")
    found = state(experiment)
    assert (found.state, found.message, found.log) == ("failed", "no such device", str(log))


def test_a_run_that_never_came_to_python_shows_the_last_line_of_its_log(experiment):
    log = write_log(experiment, "x" * 5000 + "\nbash: python: command not found\n\n")
    found = state(experiment)
    assert (found.state, found.message, found.log) == ("failed", "bash: python: command not found", str(log))


def test_deleted_results_are_missing_though_their_log_is_there(experiment, capsys):
    for steps in (1, 100):
        progress = Progress(steps, "a run")
        progress.report(1, loss=1.0)
        write_log(experiment, capsys.readouterr().err)
        assert state(experiment).state == "missing"
    for text in ("", "cache: taken from /a/folder\n", "stopped by signal 15; the same command goes on from there\n"):
        write_log(experiment, text)
        assert state(experiment).state == "missing"
    write_log(experiment, "", RAW)
    assert (state(experiment, RAW).state, state(experiment, RAW).message) == ("missing", "")


def test_a_run_whose_data_failed_names_the_log_of_the_data(experiment):
    log = write_log(experiment, "demix: error: no space\n", RAW)
    found = state(experiment)
    assert found.state == "missing"
    assert found.message == f"no data: demix: error: no space ({log})"
    assert state(experiment, RAW).state == "failed"


def test_jobs_of_a_cluster_are_shown_with_their_node_or_why_they_wait(experiment):
    run = experiment.runs[RUN]
    what = f"rule_train_wildcards_demo_{paths.run_name(run)}_0"
    waiting = state_of(experiment, run, 0, jobs=[Job("7", "PENDING", "(Resources)", what)])
    assert (waiting.state, waiting.message) == ("queued", "SLURM job 7 pending (Resources)")
    starting = state_of(experiment, run, 0, jobs=[Job("7", "RUNNING", "n1", what)])
    assert (starting.state, starting.message) == ("running", "SLURM job 7 running n1")
    assert state_of(experiment, run, 1, jobs=[Job("7", "RUNNING", "n1", what)]).state == "missing"
    finish(folder_of(experiment))
    assert state_of(experiment, run, 0, jobs=[Job("7", "COMPLETING", "n1", what)]).state == "done"


def test_a_workflow_that_has_ended_queues_nothing(experiment):
    planned.announce(["b", "a"])
    assert planned.planned() == {"a", "b"}
    record = json.loads(planned.FILE.read_text())
    planned.FILE.write_text(json.dumps(record | dead_process()))
    assert planned.planned() == frozenset()
    planned.FILE.write_text("{")
    assert planned.planned() == frozenset()


def test_the_queue_of_a_cluster_is_asked_only_where_jobs_were_submitted(experiment, monkeypatch, capsys):
    job = Job("7", "PENDING", "(Priority)", f"rule_train_wildcards_demo_{paths.run_name(experiment.runs[RUN])}_0")
    monkeypatch.setattr(cells, "jobs_of", lambda folder: [job])
    planned.announce(["a"])
    assert "SLURM" not in run_cells(monkeypatch, capsys, RUN)
    planned.announce(["a"], submits=True)
    assert "seed 0: queued (SLURM job 7 pending (Priority))" in run_cells(monkeypatch, capsys, RUN)


def run_cells(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["cells", *arguments])
    cells.main()
    return capsys.readouterr().out


def test_json_has_every_run_and_seed_with_its_cells_and_command(experiment, monkeypatch, capsys):
    finish(folder_of(experiment))
    lines = run_cells(monkeypatch, capsys, "--json").splitlines()
    entries = [json.loads(line) for line in lines]
    assert len(entries) == 2 * len(experiment.runs)
    first = next(entry for entry in entries if entry["run"] == RUN)
    assert first["state"] == "done"
    assert {"table": "icml_table1", "row_id": RUN, "setting": "unsupervised"} in first["cells"]
    point = next(entry for entry in entries if entry["run"] == "sph-vmf-vmf_sph-vmf10@4")
    assert [cell["table"] for cell in point["cells"]] == ["icml_figure2"]
    assert first["target"] == str(folder_of(experiment) / "codes.npz")
    words = shlex.split(first["command"])
    assert words[:4] == ["DEMIX_CACHE=", "snakemake", first["target"], "--force"]
    assert {entry["state"] for entry in entries} <= set(STATES)


def test_the_command_repeats_the_options_that_were_given(experiment, monkeypatch, capsys):
    options = ["--scale", "smoke", "--seeds", "3", "--device", "cpu", "--configfile", "my file.yaml"]
    Path("my file.yaml").write_text("suites: {icml_synthetic: {tables: {}}}\n")
    output = run_cells(monkeypatch, capsys, RUN, *options)
    wanted = "--configfile 'my file.yaml' --config scale=smoke seeds=3 device=cpu"
    assert output.count(wanted) == 4  # three seeds and all of them
    assert "runs × seeds: 3 missing" in output


def test_seeds_in_one_state_share_a_line(experiment, monkeypatch, capsys):
    finish(folder_of(experiment, seed=1))
    output = run_cells(monkeypatch, capsys, "--table", "icml_table2", "--seeds", "3")
    assert "seeds 0, 1, 2: missing" in output
    assert RUN not in output
    output = run_cells(monkeypatch, capsys, RUN, "--seeds", "3")
    assert "seeds 0, 2: missing" in output
    assert "seed 1: done" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sph-uni-vmf1_sph-vmf2"], "unknown run 'sph-uni-vmf1_sph-vmf2' \\(did you mean 'sph-uni-vmf1_sph-vmf1'"),
        (["--table", "icml_tabel1"], "unknown table 'icml_tabel1' \\(did you mean 'icml_table1'"),
        (["--prune"], "--prune goes with --stale"),
        (["--directory", "nowhere"], "--directory: .*nowhere"),
    ],
)
def test_bad_arguments_are_named(experiment, monkeypatch, capsys, arguments, message):
    with pytest.raises(ConfigError, match=message):
        run_cells(monkeypatch, capsys, *arguments)


def make_stale(experiment):
    """An older folder of a known run, one of an unknown run, one in which a process trains, scores and data."""
    results = paths.scale_folder(experiment)
    finish_all = [results / f"runs/{RUN}-00000000/seed0", results / "runs/mine-00000000/seed0"]
    for folder in finish_all:
        folder.mkdir(parents=True)
        finish(folder)
    Status(results / "runs/raw_sph-uni-00000000/seed0/checkpoint")
    (results / "scores").mkdir()
    (results / f"scores/{RUN}-00000000.parquet").touch()
    (paths.OWN_DATA / "synthetic/sphere-uniform-n5-00000000").mkdir(parents=True)
    for run in (RUN, RAW):
        finish(folder_of(experiment, run))


def test_stale_results_are_listed_with_their_reason(experiment):
    make_stale(experiment)
    found = {entry.path.name: entry.reason for entry in stale_results(experiment)}
    assert found == {
        f"{RUN}-00000000": "its run has another key now",
        f"{RUN}-00000000.parquet": "its run has another key now",
        "mine-00000000": "no run of this name in this configuration",
        "raw_sph-uni-00000000": "still training",
        "sphere-uniform-n5-00000000": "no run of any scale uses it",
    }


def test_pruning_asks_and_leaves_current_unknown_and_running_ones(experiment, monkeypatch, capsys):
    make_stale(experiment)
    before = sorted(Path("results").rglob("*"))
    monkeypatch.setattr("builtins.input", lambda question: "n")
    run_cells(monkeypatch, capsys, "--stale", "--prune")
    assert sorted(Path("results").rglob("*")) == before
    monkeypatch.setattr("builtins.input", lambda question: "y")
    assert "3 deleted" in run_cells(monkeypatch, capsys, "--stale", "--prune")
    assert {entry.path.name for entry in stale_results(experiment)} == {"mine-00000000", "raw_sph-uni-00000000"}
    assert state(experiment).state == state(experiment, RAW).state == "done"
    assert "mine-00000000" in run_cells(monkeypatch, capsys, "--stale", "--prune", "--yes")


def test_data_that_others_may_use_is_never_stale(experiment, monkeypatch, tmp_path):
    (tmp_path / "shared/synthetic/sphere-uniform-n5-00000000").mkdir(parents=True)
    monkeypatch.setenv("DEMIX_DATA", str(tmp_path / "shared"))
    assert stale_results(experiment) == []


def test_torch_is_not_imported():
    code = "import sys, demix.cells, demix.workflow.stale, demix.training.status; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
