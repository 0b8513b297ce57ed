"""Plans of a small configuration, without Snakemake."""

from types import SimpleNamespace

import pytest
from project import CONFIG

from demix.experiment.experiment import Experiment
from demix.experiment.reading import read_config
from demix.support.mappings import merge
from demix.workflow.plan.plan import WorkflowPlan
from demix.workflow.store import Store


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DEMIX_DATA", raising=False)
    return tmp_path


@pytest.fixture
def plan_of(folder):
    """Plans of the workflow's configuration with changes laid over it."""
    config = read_config(CONFIG)

    def make(changes=None, store=None, forced=False, **overrides):
        experiment = Experiment(merge(config, changes or {}) | {"scale": "smoke"} | overrides)
        return WorkflowPlan(experiment, store=store, forced=lambda: forced)

    return make


@pytest.fixture
def plan(plan_of):
    return plan_of()


@pytest.fixture
def wildcards():
    """What Snakemake passes to the plan."""
    return SimpleNamespace


@pytest.fixture
def store(folder):
    return Store(folder / "cache")
