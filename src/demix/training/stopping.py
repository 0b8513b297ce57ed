"""Signals that request a training to stop: it saves a checkpoint after the step it is in."""

import signal
from types import FrameType


class Stopped(SystemExit):
    """Training has saved a checkpoint and stopped after a request; the code is that of the signal."""


class StopRequest:
    """Listens to SIGTERM (a job's time limit), SIGUSR1 (a warning before it) and SIGINT (Ctrl-C).

    A second Ctrl-C stops at once, without a checkpoint.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGINT):
            signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.signal == signal.SIGINT == number:
            raise KeyboardInterrupt
        self.signal = number

    @property
    def exit_code(self) -> int:
        """What a process that was stopped by the signal returns."""
        assert self.signal is not None, "there was no request to stop"
        return 128 + self.signal
