"""A run as it is written in the configuration: the names of its problem, model and training."""

from pydantic import Field

from demix.specs.base import Spec


class RunNamesSpec(Spec):
    """A run by the names of its parts. Without model and training the raw observations are scored.

    A name is that of an entry of the same suite; `suite/name` is one of another suite.
    """

    problem: str
    model: str | None = Field(None, description="none: the raw observations are scored")
    training: str | None = None
