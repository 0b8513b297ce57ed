"""The project's configuration, to be changed."""

import copy

import pytest
from project import CONFIG

from demix.experiment.reading import read_config


@pytest.fixture(scope="session")
def whole_config():
    return read_config(CONFIG)


@pytest.fixture
def config(whole_config):
    return copy.deepcopy(whole_config)


@pytest.fixture
def change(config):
    """Sets a value of `config` at a path such as "suites/icml_synthetic/runs/mine"."""

    def set_at(path, value):
        *parents, last = path.split("/")
        place = config
        for key in parents:
            place = place.setdefault(key, {})
        place[last] = value
        return config

    return set_at
