"""Mappings from names that a user may misspell."""

from typing import TypeVar

from demix.support.errors import ConfigError, unknown

Value = TypeVar("Value")


class Named(dict[str, Value]):
    """Things by their name; asking for a name that does not exist is an error with the nearest one.

    Args:
        what: what kind of name it is, such as "run".
        content: the things.
    """

    def __init__(self, what: str, content: dict[str, Value]):
        super().__init__(content)
        self.what = what

    def __missing__(self, name: str) -> Value:
        raise ConfigError(unknown(self.what, name, self))
