"""What the parts of the plan share: values as Snakemake passes them on to commands."""

import inspect
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from demix.experiment.keys import code_digest
from demix.specs.base import Spec
from demix.support.errors import DemixError

Wildcards = Any
"""What Snakemake knows of a job from the paths that it makes: text by name."""


def as_json(spec: Spec) -> str:
    """A spec as a command takes it."""
    return json.dumps(spec.model_dump(mode="json"), sort_keys=True)


def options(**values: Any) -> list[str]:
    """Options of a command that has them only where there is something to say.

    Args:
        values: text, a path, or several of them, by the option's name; empty ones are left out.
    """
    words: list[str] = []
    for name, value in values.items():
        texts = [str(value)] if isinstance(value, str) or not isinstance(value, Iterable) else list(map(str, value))
        if any(texts):
            words += [f"--{name}", *texts]
    return words


def step_code(*modules: str) -> str:
    """Digest of the code of a light step, so that a change in it makes the step's results anew."""
    return code_digest(frozenset(modules))


class Functions:
    """A part of the plan for rules: its methods as plain functions.

    Snakemake looks at the signature of every function for every job. It finds that of a function that holds it at
    once, and makes that of a bound method anew: half a second for 2,000 trainings.
    """

    def __init__(self, part: Any):
        self._part = part

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if not inspect.ismethod(found):
            return found

        def function(*arguments: Any, **named: Any) -> Any:
            return found(*arguments, **named)

        function.__signature__ = inspect.signature(found)  # type: ignore[attr-defined]
        return function


@contextmanager
def clear_errors() -> Iterator[None]:
    """End the process with one line for each thing that the user can mend, and no traceback."""
    try:
        yield
    except DemixError as error:
        sys.exit("\n".join(f"demix: error: {line}" for line in str(error).splitlines()))
