"""Errors that end a command with one line on the terminal and no traceback."""

import difflib
from collections.abc import Iterable


class DemixError(Exception):
    """Something the user can mend: the message names the key or file, the value and what is allowed."""


class ConfigError(DemixError):
    """The configuration is not valid."""


class OwnedByAnotherError(DemixError):
    """Another process trains this run with this seed."""


class DataError(DemixError):
    """A file is missing, damaged or does not hold what its name promises."""


def unknown(what: str, value: str, allowed: Iterable[str]) -> str:
    """One line for a name that does not exist, with the nearest valid spelling.

    Args:
        what: what kind of name it is, such as "key" or "table".
        value: the name that was given.
        allowed: the names that exist.
    """
    names = sorted(map(str, allowed))
    near = difflib.get_close_matches(str(value), names, n=1, cutoff=0.5)
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    return f"unknown {what} '{value}'{hint}; allowed: {', '.join(names) or 'none'}"
