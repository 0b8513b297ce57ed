"""What a person sees while a run trains: a bar on a terminal, a line now and then in a log file."""

import sys
import time

from tqdm import tqdm

SECONDS_BETWEEN_LINES = 10.0


class Progress:
    """Reports steps per second and time left on standard error."""

    def __init__(self, steps: int, title: str, first: int = 0):
        self.steps, self.title = steps, title
        self._start, self._first = time.monotonic(), first
        self._last_line = 0.0  # the first report is always shown
        self._bar = tqdm(total=steps, initial=first, desc=title, unit="step") if sys.stderr.isatty() else None

    def report(self, step: int, **values: float) -> None:
        """Say where the run stands after `step` steps; loss to four decimals."""
        if self._bar is not None:
            self._bar.n = step
            self._bar.set_postfix({name: f"{value:.4f}" for name, value in values.items()})
        elif time.monotonic() - self._last_line >= SECONDS_BETWEEN_LINES or step == self.steps:
            self._last_line = time.monotonic()
            self._print(step, values)

    def rate(self, step: int) -> float:
        """Steps per second since the start."""
        return (step - self._first) / max(time.monotonic() - self._start, 1e-9)

    def close(self) -> None:
        """Leave the terminal in order."""
        if self._bar is not None:
            self._bar.close()

    def _print(self, step: int, values: dict[str, float]) -> None:
        rate = self.rate(step)
        left = tqdm.format_interval((self.steps - step) / rate) if rate else "?"
        shown = "  ".join(f"{name} {value:.4f}" for name, value in values.items())
        line = f"{self.title}  step {step:,}/{self.steps:,}  {shown}  {rate:.1f} steps/s  {left} left"
        print(line, file=sys.stderr, flush=True)
