"""Scores of runs whose samples lack what they need are refused while planning."""

import pytest
from figures_config import config

from demix.experiment.experiment import Experiment
from demix.figures.plan import figure_plan, figure_requests
from demix.specs.datasets import dataset_from
from demix.support.errors import ConfigError
from demix.tables.plan import table_plan

LABELS = {"kind": "kites:LabelsScoreSpec"}


def table_of(run, metrics_of=None):
    """A configuration with a table of R2 and a score that needs labels, of one run."""
    content = config()
    suite = content["suites"]["own"]
    for name in ("KitesSpec", "UnlabelledSpec"):
        suite["problems"][name] = {"kind": "images", "data": f"kites:{name}", "pairs": "matched"}
        suite["runs"][name] = {"problem": name}
    table = {"title": "T", "metrics": ["r2", "labels"], "scores": {"labels": LABELS}, "rows": {"row": {"first": run}}}
    suite["tables"] = {"mine": table | {"metrics_of": metrics_of or {}}}
    return Experiment(content)


def test_a_data_set_says_what_is_known_beside_factors():
    assert dataset_from("kites:KitesSpec", "data").known == ("factors", "labels")
    assert dataset_from("kitti_stand_in", "data").known == ("factors",)
    assert dataset_from("gallery", "data").known == ()


def test_a_table_may_ask_for_what_is_known():
    assert set(table_plan(table_of("KitesSpec"), "mine").requests) == {"KitesSpec"}
    assert table_plan(table_of("raw", metrics_of={"first": ["r2"]}), "mine").requests  # nobody asks for labels


@pytest.mark.parametrize("run", ["UnlabelledSpec", "raw"])
def test_a_table_that_asks_for_more_is_refused(run):
    message = (
        f"tables.mine: score kites:LabelsScoreSpec needs labels, but of the samples of run {run} is known: factors"
    )
    with pytest.raises(ConfigError) as error:
        table_plan(table_of(run), "mine")
    assert str(error.value) == message


@pytest.mark.parametrize("plan", [figure_plan, figure_requests])
def test_so_is_a_figure(plan):
    with pytest.raises(
        ConfigError, match=r"^figures\.sweep: score kites:LabelsScoreSpec needs labels, but .*: factors$"
    ):
        plan(Experiment(config(sweep={"score": LABELS})), "sweep")
