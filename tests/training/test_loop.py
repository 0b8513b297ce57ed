"""The training loop, without a model: rows, scores, divergence, going on elsewhere."""

import pytest
import torch
from pretender import Pretender

from demix.training import checkpoint
from demix.training.checkpoint import Checkpoints
from demix.training.history import History
from demix.training.loop import train


def test_rows_average_what_came_since_the_row_before():
    history = History()
    outcome = train(Pretender(1000), history, "run")
    assert (outcome.outcome, outcome.steps, outcome.resumed_at) == ("finished", 1000, 0)
    assert [row["step"] for row in history.rows] == [1, *range(5, 1001, 5)]
    assert [row["loss"] for row in history.rows[:3]] == [0.0, 2.5, 7.0]
    assert all(row["part"] == 1.0 for row in history.rows)
    scored = [row for row in history.rows if "r2" in row]
    assert [row["step"] for row in scored] == list(range(50, 1001, 50))
    assert scored[-1]["r2"] == pytest.approx(1.0)
    assert scored[-1]["mcc"] == pytest.approx(1.0)


def test_a_loss_that_is_no_number_ends_the_run_as_diverged():
    history = History()
    outcome = train(Pretender(1000, nan_from=42), history, "run")
    assert (outcome.outcome, outcome.steps) == ("diverged", 45)


def test_going_on_elsewhere_is_noted_for_good(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(checkpoint, "SECONDS_BETWEEN", 0.0)

    def part(steps, **numerics):
        monkeypatch.setattr("demix.training.loop.numerics", lambda device, backend: numerics)
        run = Pretender(steps)
        run.device, run.backend = torch.device("cpu"), "eager"
        run.state, run.load_state = dict, lambda state: None
        return train(run, History(), "some run", Checkpoints(tmp_path, "key"))

    assert part(10, model="A", threads=1).bit_exact
    same = part(20, model="A", threads=1)
    assert (same.resumed_at, same.bit_exact) == (10, True)
    assert capsys.readouterr().err.count("not bit-exact") == 0
    other = part(30, model="B", threads=1)
    assert (other.resumed_at, other.bit_exact) == (20, False)
    assert "some run: not bit-exact, goes on with another model A → B\n" in capsys.readouterr().err
    back = part(40, model="B", threads=1)
    assert (back.resumed_at, back.bit_exact) == (30, False)
