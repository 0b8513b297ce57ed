"""Names of entries in the configuration: `name` in the same suite, `suite/name` in another."""

from collections.abc import Mapping
from typing import TypeVar

from demix.support.errors import ConfigError, unknown

Value = TypeVar("Value")


def look_up(what: str, reference: str, suite: str, entries: Mapping[str, Mapping[str, Value]], where: str) -> Value:
    """The entry that a name stands for.

    Args:
        what: what kind of entry it is, such as "problem".
        reference: `name` or `suite/name`.
        suite: the one in which the name is used.
        entries: those of this kind by suite and name.
        where: place of the reference in the configuration.

    Raises:
        ConfigError: there is no such suite or entry.
    """
    home, slash, name = reference.rpartition("/")
    home = home if slash else suite
    if home not in entries:
        raise ConfigError(f"{where}: {unknown('suite', home, entries)}")
    if name in entries[home]:
        return entries[home][name]
    elsewhere = [other for other, its in entries.items() if name in its]
    if elsewhere:
        raise ConfigError(f"{where}: suite {home} has no {what} '{name}' (did you mean '{elsewhere[0]}/{name}'?)")
    raise ConfigError(f"{where}: {unknown(what, reference, entries[home])}")
