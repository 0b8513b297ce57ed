"""Computing the next batch in the background while the GPU works on the current one."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import torch


class Prefetcher:
    """Calls a function in a background thread for the argument that is expected next.

    Args:
        function: of one argument; its result depends on nothing else.
        background: a thread to compute the next result in. With None each result is computed when `get` needs it, and
            only the last one is kept.
    """

    def __init__(self, function: Callable[[Any], Any], background: ThreadPoolExecutor | None):
        self._function, self._background = function, background
        self._known: dict[Any, Future] = {}

    def get(self, argument: Any, then: Any) -> Any:
        """The result for `argument`. With a background thread, computing that for `then` starts too."""
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
    """A background thread if training is on a GPU; None on a CPU, where it would take time from the training."""
    return ThreadPoolExecutor(1) if torch.device(device).type == "cuda" else None
