"""What a person sees while a run trains."""

from pretender import Pretender

from demix.training.history import History
from demix.training.loop import train


def test_progress_in_a_log_names_step_loss_rate_and_time_left(capsys):
    train(Pretender(10), History(), "some run")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("some run  step 1/10  loss 0.0000  ")
    assert lines[-1].startswith("some run  step 10/10  loss 9.0000  r2 1.0000  mcc 1.0000  ")
    assert all("steps/s" in line and line.endswith("left") for line in lines)
