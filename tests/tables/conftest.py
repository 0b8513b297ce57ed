"""The plan of a published table, and scores for it."""

import pytest
from made_scores import made_scores
from project import CONFIG

from demix.experiment.experiment import load_experiment
from demix.tables.plan import table_plan


@pytest.fixture(scope="session")
def paper():
    return load_experiment(CONFIG, scale="paper")


@pytest.fixture(scope="session")
def plan(paper):
    return table_plan(paper, "icml_table1")


@pytest.fixture
def scores(plan):
    return {run: made_scores(run, [0.66, 0.68, 0.67, 0.65, 0.69]) for run in plan.runs}
