"""Plans of tables: typed, whole, and what they ask of runs."""

import json

import pytest
from made_codes import score_spec
from project import CONFIG

from demix.experiment.experiment import Experiment, load_experiment
from demix.specs.scores import ScoreRequest
from demix.support.errors import ConfigError
from demix.tables.plan import TablePlan, row_labels, table_plan, table_requests


def test_a_plan_comes_back_from_json_as_it_was(plan):
    assert TablePlan.model_validate(json.loads(plan.model_dump_json())) == plan


def test_the_requests_of_a_run_are_what_its_cells_show(paper):
    requests = table_requests(paper, "icml_table1")
    r2 = ScoreRequest(evaluation_set="marginal", score=score_spec("r2"))
    assert set(requests) == {run.id for run in paper.runs_of("icml_table1")}
    assert all(wanted == [r2] for wanted in requests.values())
    maps = table_requests(paper, "trained_maps")["sph-uni-vmf1_sph-vmf1"]
    assert [wanted.score.name for wanted in maps] == ["isometry_gap", "dot_products", "off_permutation"]


def test_a_table_with_several_sets_asks_for_each_where_it_is_shown(paper):
    requests = table_requests(paper, "icml_table5")
    wanted_of = {run: {(one.evaluation_set, one.score.name) for one in wanted} for run, wanted in requests.items()}
    assert wanted_of["raw_3di"] == {("train", "r2(held_out=true)")}
    assert {("train", "mcc"), ("test", "mcc"), ("test", "r2(held_out=true)")} <= wanted_of["3di-norm_box-norm"]
    masks = table_requests(paper, "icml_table3")["kitti-slowvae-k1"]
    assert {one.score.name for one in masks} == {"mcc(correlation=spearman)"}


def test_an_evaluation_set_that_a_run_does_not_have_is_named(paper):
    class Other(Experiment):
        def table(self, name):
            return super().table(name).model_copy(update={"evaluation_set": "margnal"})

    with pytest.raises(ConfigError, match=r"icml_table1.evaluation_set: .*'margnal' \(did you mean 'marginal'\?\)"):
        table_plan(load_as(Other), "icml_table1")


def test_a_score_that_does_not_exist_is_named(paper):
    class Other(Experiment):
        def table(self, name):
            return super().table(name).model_copy(update={"metrics": ("r3",)})

    with pytest.raises(ConfigError, match=r"tables.icml_table1.metrics: unknown kind 'r3' \(did you mean 'r2'\?\)"):
        table_plan(load_as(Other), "icml_table1")


def load_as(cls):
    """The experiment of the configuration as another class."""
    experiment = load_experiment(CONFIG, scale="paper")
    experiment.__class__ = cls
    return experiment


def test_labels_are_those_of_the_last_run_that_has_them(paper):
    runs = [paper.runs[name] for name in ("raw_box-uni", "box-uni-lap005_unb-norm")]
    labels = row_labels(runs)
    assert (labels["space"], labels["model_conditional"]) == ("Box", "Normal")
    assert row_labels(runs[:1])["model_space"] == ""
