"""Work that is begun before it is asked for, so that a GPU does not wait."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import torch


class Ahead:
    """Results of a function of one argument, computed before they are asked for if there is someone to do it.

    Args:
        function: gives the same result whenever it is called.
        background: does the work ahead; without, everything is computed when asked for, and the last result is kept.
    """

    def __init__(self, function: Callable[[Any], Any], background: ThreadPoolExecutor | None):
        self._function, self._background = function, background
        self._known: dict[Any, Future] = {}

    def get(self, argument: Any, then: Any) -> Any:
        """The result for `argument`; that for `then` is begun."""
        found = self._known.get(argument) or self._begin(argument)
        self._known = {
            argument: found,
            **({then: self._known.get(then) or self._begin(then)} if self._background else {}),
        }
        return found.result()

    def _begin(self, argument: Any) -> Future:
        if self._background:
            return self._background.submit(self._function, argument)
        done: Future = Future()
        done.set_result(self._function(argument))
        return done


def background_of(device: torch.device | str) -> ThreadPoolExecutor | None:
    """A thread for work ahead where a GPU trains; on a CPU it would take time from the training."""
    return ThreadPoolExecutor(1) if torch.device(device).type == "cuda" else None
