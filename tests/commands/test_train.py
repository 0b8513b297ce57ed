"""What the command that trains leaves in the folder of a run that it does not finish."""

import json

import pytest

from demix.support.errors import ConfigError, OwnedByAnotherError
from demix.train import recorded
from demix.training.stopping import Stopped


@pytest.mark.parametrize(
    ("error", "state", "message"),
    [
        (Stopped(143), "interrupted", "stopped by signal 15"),
        (KeyboardInterrupt(), "interrupted", "stopped by Ctrl-C"),
        (ConfigError("mine: no such thing\nand more"), "failed", "mine: no such thing"),
        (MemoryError(), "failed", "MemoryError"),
    ],
)
def test_the_way_it_ended_is_on_record(tmp_path, error, state, message):
    with pytest.raises(type(error)), recorded(tmp_path):
        raise error
    record = json.loads((tmp_path / "status.json").read_text())
    assert (record["state"], record["message"]) == (state, message)


def test_one_that_another_process_has_taken_over_says_nothing_more(tmp_path):
    def overtaken():
        (tmp_path / "status.json").write_text("that of the other")
        raise OwnedByAnotherError("taken over")

    with pytest.raises(OwnedByAnotherError), recorded(tmp_path):
        overtaken()
    assert (tmp_path / "status.json").read_text() == "that of the other"
