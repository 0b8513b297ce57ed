"""Suites: names within and across them, what their scales change, baselines of rows."""

import pytest

from demix.experiment.experiment import Experiment
from demix.support.errors import ConfigError

PAIRS = {"space": "sphere", "marginal": "uniform", "conditional": {"kind": "vmf", "concentration": 50}}
OTHERS = {"model": "icml_synthetic/sph-vmf1", "training": "icml_synthetic/contrastive"}


def own_suite(**more):
    return {"problems": {"mine": PAIRS}, "runs": {"mine": {"problem": "mine", **OTHERS}}} | more


def test_a_suite_of_ones_own_uses_entries_of_others_as_the_scale_changes_them_there(config, change):
    experiment = Experiment(change("suites/own", own_suite()))
    run, other = experiment.runs["mine"], experiment.runs["sph-uni-lap005_sph-vmf1"]
    assert run.suite == "own"
    assert run.spec.model.encoder == other.spec.model.encoder
    assert run.spec.training.batch_size == 256
    assert run.spec.problem.dim == 10  # no scale changes its problem


def test_the_scales_of_a_suite_change_its_own_entries_alone(config, change):
    before = Experiment(config).runs
    scales = {"demo": {"problems": {"*": {"dim": 3}}, "runs": {"*": {"training": {"steps": 7}}}, "seeds": 4}}
    after = Experiment(change("suites/own", own_suite(scales=scales))).runs
    mine = after["mine"]
    assert (mine.spec.problem.dim, mine.spec.training.steps, len(mine.seeds)) == (3, 7, 4)
    assert (mine.published.problem.dim, mine.published_seeds) == (10, 5)
    assert all(after[name].spec == run.spec and after[name].seeds == run.seeds for name, run in before.items())


def test_seeds_of_single_runs_come_before_those_of_the_suite(config, change):
    scales = {"demo": {"seeds": 4, "seeds_of": {"m*": 3}}}
    assert len(Experiment(change("suites/own", own_suite(scales=scales))).runs["mine"].seeds) == 3
    assert len(Experiment(config | {"seeds": 2}).runs["mine"].seeds) == 2


def test_without_changes_a_scale_leaves_a_suite_as_it_is(change):
    experiment = Experiment(change("suites/own", own_suite()))
    assert experiment.runs["mine"].spec.problem == experiment.runs["mine"].published.problem


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"model": "sph-vmf1"}, "suite own has no model 'sph-vmf1' (did you mean 'icml_synthetic/sph-vmf1'?)"),
        ({"model": "icml_syntetic/sph-vmf1"}, "unknown suite 'icml_syntetic' (did you mean 'icml_synthetic'?)"),
        ({"training": "icml_synthetic/contrastiv"}, "unknown training 'icml_synthetic/contrastiv' (did you mean"),
        ({"problem": "mien"}, "suites.own.runs.mine.problem: unknown problem 'mien' (did you mean 'mine'?)"),
    ],
)
def test_a_name_that_is_not_there_is_named_with_the_one_that_was_meant(change, names, message):
    with pytest.raises(ConfigError) as error:
        Experiment(change("suites/own", own_suite(runs={"mine": {"problem": "mine", **OTHERS, **names}})))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("kind", "name", "first"),
    [
        ("runs", "raw_sph-uni", "icml_synthetic.runs.raw_sph-uni"),
        ("sweeps", "raw_sph-uni", "icml_synthetic.runs.raw_sph-uni"),
        ("sweeps", "sph-vmf-vmf_sph-vmf10", "icml_synthetic.sweeps.sph-vmf-vmf_sph-vmf10"),
        ("tables", "icml_table1", "icml_synthetic.tables.icml_table1"),
        ("figures", "icml_figure2", "icml_synthetic.figures.icml_figure2"),
        ("tables", "icml_figure2", "icml_synthetic.figures.icml_figure2"),
    ],
)
def test_a_name_that_two_suites_give_is_an_error_with_both_places(change, kind, name, first):
    run = {"problem": "mine", **OTHERS}
    entries = {
        "runs": run,
        "sweeps": run | {"vary": {"problem.dim": [3]}},
        "tables": {"title": "", "metrics": ["r2"], "rows": {"a": {"unsupervised": "mine"}}},
        "figures": {"kind": "mask_traces", "title": "", "run": "mine"},
    }
    content = own_suite()
    content[kind] = content.get(kind, {}) | {name: entries[kind]}
    with pytest.raises(ConfigError) as error:
        Experiment(change("suites/own", content))
    assert str(error.value) == f"config: suites.own.{kind}.{name}: the name is taken by suites.{first}"


def test_problems_of_two_suites_may_have_one_name(change):
    content = {"problems": {"sph-uni": PAIRS}, "runs": {"mine": {"problem": "sph-uni", **OTHERS}}}
    runs = Experiment(change("suites/own", content)).runs
    assert runs["mine"].spec.problem.conditional.concentration == 50
    assert runs["raw_sph-uni"].spec.problem.conditional is None


def table(**rows):
    return {"title": "", "metrics": ["r2"], "rows": rows}


def test_a_row_shows_its_baselines_before_its_own_runs(change):
    rows = {"a": {"unsupervised": "mine", "baselines": "icml_synthetic/sph-uni"}, "b": {"unsupervised": "own/mine"}}
    experiment = Experiment(change("suites/own", own_suite(tables={"mine": table(**rows)})))
    assert list(experiment.table("mine").rows["a"].items()) == [
        ("identity", "raw_sph-uni"),
        ("supervised", "sup_sph-uni_sph"),
        ("unsupervised", "mine"),
    ]
    assert experiment.table("mine").rows["b"] == {"unsupervised": "mine"}
    assert [run.id for run in experiment.runs_of("mine")] == ["raw_sph-uni", "sup_sph-uni_sph", "mine"]


def test_a_row_may_take_another_run_than_that_of_its_baselines(change):
    row = {"baselines": "icml_synthetic/sph-uni", "supervised": "sup_box-uni_unb"}
    experiment = Experiment(change("suites/own", own_suite(tables={"mine": table(a=row)})))
    assert experiment.table("mine").rows["a"] == {"identity": "raw_sph-uni", "supervised": "sup_box-uni_unb"}


def test_a_run_may_be_named_with_its_suite(config):
    experiment = Experiment(config)
    assert experiment.runs["icml_synthetic/raw_sph-uni"] is experiment.runs["raw_sph-uni"]
    assert experiment.sweep_runs("icml_synthetic/sph-vmf-vmf_sph-vmf10")
    with pytest.raises(ConfigError, match="unknown run 'kitti_masks/raw_sph-uni'"):
        experiment.runs["kitti_masks/raw_sph-uni"]
    with pytest.raises(ConfigError, match="unknown sweep 'nothing'"):
        experiment.sweep_runs("nothing")
    with pytest.raises(ConfigError, match="unknown table 'icml_tabel1'"):
        experiment.table("icml_tabel1")


def test_tables_come_in_the_order_of_suites(config):
    assert list(Experiment(config).tables)[:2] == ["icml_table1", "icml_table2"]
