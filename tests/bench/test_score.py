"""The benchmark of recipes: when a score is reached."""

import numpy as np
import pytest

from demix.support.errors import ConfigError


def test_score_says_when_a_score_was_reached_and_when_not(bench):
    _, table = bench("score", "--run", "box-uni-lap005_box-lap", "--reach", "0.01", "1.0")
    found = {(row.metric, row.reach): row.seconds for row in table.itertuples()}
    assert found["r2", 0.01] > 0
    assert np.isnan(found["r2", 1.0])
    assert (table["total_seconds"] >= table["seconds"].max()).all()


def test_a_run_that_is_not_there_is_named(bench):
    with pytest.raises(ConfigError, match=r"--run: .*box-uni-lap005_box-lap"):
        bench("score", "--run", "box-uni-lap005_box-lab")
