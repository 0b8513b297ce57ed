"""Configuration files: laid over one another, with the files of their suites."""

import sys

import pytest
import yaml
from project import CONFIG

from demix.experiment.experiment import Experiment, load_experiment
from demix.experiment.reading import in_written_order, read_config
from demix.support.errors import ConfigError
from demix.tables.plan import table_plan

ROW = """
suites:
  icml_synthetic:
    problems:
      sph-uni-vmf50: {space: sphere, marginal: uniform, conditional: {kind: vmf, concentration: 50}}
    runs:
      mine: {problem: sph-uni-vmf50, model: sph-vmf1, training: contrastive}
    tables: {icml_table1: {rows: {mine: {baselines: sph-uni, unsupervised: mine}}}}
"""
SUITE = "runs: {mine: {problem: icml_synthetic/sph-vmf-vmf, model: icml_synthetic/sph-vmf1, training: t}}\n" + (
    "trainings: {t: {steps: 3}}\n"
)


@pytest.fixture
def path(monkeypatch):
    """`sys.path` as it was, afterwards."""
    monkeypatch.setattr(sys, "path", list(sys.path))


def written(folder, name, text):
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def as_snakemake_merges(*files, **settings):
    """The configuration that rules see: entries of later files come before those that they extend."""
    from snakemake.utils import update_config

    given = {}
    for file in files:
        update_config(given, yaml.safe_load(file.read_text()))
    update_config(given, settings)
    config = dict(given)
    update_config(config, yaml.safe_load(CONFIG.read_text()))
    update_config(config, given)
    return in_written_order([CONFIG, *files, CONFIG], config)


def test_a_later_file_adds_a_row_without_touching_the_first(tmp_path, path):
    mine = written(tmp_path, "mine.yaml", ROW)
    before, after = load_experiment(CONFIG), load_experiment(CONFIG, mine)
    assert list(after.table("icml_table1").rows) == [*before.table("icml_table1").rows, "mine"]
    assert all(after.runs[name].spec == run.spec for name, run in before.runs.items())
    assert table_plan(after, "icml_table1").rows["mine"].labels["conditional"] == "vMF(κ=50)"


def test_rules_and_commands_read_the_same(tmp_path, path):
    mine = written(tmp_path, "mine.yaml", ROW)
    suite = written(tmp_path, "suites/other.yaml", SUITE.replace("mine", "other"))
    other = written(tmp_path, "other.yaml", f"suites: {{other: {{file: suites/{suite.name}}}}}")
    in_rules, in_commands = as_snakemake_merges(mine, other), read_config(CONFIG, mine, other)
    assert in_rules == in_commands
    assert list(in_rules["suites"]) == list(in_commands["suites"])
    for name, suite in in_commands["suites"].items():
        for kind, entries in suite.items():
            assert list(in_rules["suites"][name][kind]) == list(entries)


def test_later_changes_of_a_scale_win_in_the_rules_too(tmp_path, path):
    change = "suites: {icml_synthetic: {scales: {demo: {trainings: {contrastive: {steps: 7}}}}}}"
    experiment = Experiment(as_snakemake_merges(written(tmp_path, "mine.yaml", change)))  # after "*": {steps: 1000}
    assert experiment.runs["box-uni-lap005_box-lap"].spec.training.steps == 7


def test_settings_of_the_command_line_win(tmp_path, path):
    suites = {"icml_synthetic": {"trainings": {"contrastive": {"threads": 2}}}}
    config = as_snakemake_merges(written(tmp_path, "mine.yaml", ROW), scale="smoke", suites=suites)
    experiment = Experiment(config)
    assert experiment.scale_name == "smoke"
    assert experiment.runs["mine"].spec.training.threads == 2


def test_a_suite_lies_beside_the_file_that_names_it(tmp_path, path, monkeypatch):
    written(tmp_path, "mine/suites/mine.yaml", SUITE)
    file = written(tmp_path, "mine/config.yaml", "suites: {mine: {file: suites/mine.yaml, trainings: {t: {steps: 4}}}}")
    monkeypatch.chdir(tmp_path / "mine")
    assert load_experiment(CONFIG, file.relative_to(tmp_path / "mine")).runs["mine"].spec.training.steps == 4
    monkeypatch.chdir("/")
    assert Experiment(as_snakemake_merges(file)).runs["mine"].suite == "mine"


def test_a_suite_may_stand_in_the_file_itself(tmp_path, path):
    mine = written(tmp_path, "mine.yaml", yaml.safe_dump({"suites": {"mine": yaml.safe_load(SUITE)}}))
    assert load_experiment(CONFIG, mine).runs["mine"].spec.training.steps == 3


def test_a_kind_that_is_changed_leaves_nothing_of_the_old_one(tmp_path, path):
    text = "suites: {icml_synthetic: {models: {box-lap: {objective: {kind: mean_squared_error}}}}}"
    model = read_config(CONFIG, written(tmp_path, "mine.yaml", text))["suites"]["icml_synthetic"]["models"]["box-lap"]
    assert model == {"output": "box", "objective": {"kind": "mean_squared_error"}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1", r"mine\.yaml: not readable as YAML"),
        ("- a", r"mine\.yaml: must hold a mapping"),
        ("suites: {mine: {file: nothing.yaml}}", r"suites\.mine\.file: .*/nothing\.yaml: not readable .*No such file"),
        ("suites: {mine: {file: 3}}", r"suites\.mine\.file: "),
        ("suites: {mine: {file: mine.yaml}}", "suites.mine: unknown key 'suites'"),
        ("suites: {mine: 3}", "suites.mine: input should be a valid dictionary"),
        ("runs: {mine: {problem: a}}", "'runs' goes into a suite: suites.<suite>.runs, where <suite> is one there is"),
        ("\xff", "mine.yaml"),
    ],
)
def test_a_file_that_is_not_right_is_named(tmp_path, path, text, message):
    file = tmp_path / "mine.yaml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=message) as error:
        load_experiment(CONFIG, file)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path, path):
    with pytest.raises(ConfigError, match=r"nothing\.yaml: not readable as YAML \(.*No such file"):
        load_experiment(CONFIG, tmp_path / "nothing.yaml")
