"""A scale's changes to entries of a suite."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import TypeVar

from demix.specs.base import Spec, parse
from demix.specs.scale import Changes
from demix.support.errors import ConfigError, unknown
from demix.support.mappings import merge

S = TypeVar("S", bound=Spec)


def changed(entries: Mapping[str, S], changes: Changes, where: str) -> dict[str, S]:
    """The entries, those changed whose name matches a pattern.

    Args:
        entries: specs by name.
        changes: by pattern; later ones win.
        where: place of the changes in the configuration.

    Raises:
        ConfigError: a pattern matches nothing, or a changed entry is not valid.
    """
    result = dict(entries)
    for pattern, change in changes.items():
        for name in matching(entries, pattern, where):
            merged = merge(result[name].model_dump(mode="json"), change)
            result[name] = parse(type(result[name]), merged, f"{where}.{pattern} (for {name})")
    return result


def matching(names: Iterable[str], pattern: str, where: str) -> list[str]:
    """The names that a pattern such as "box-*", or "* !box-* !sph-*", matches.

    Raises:
        ConfigError: there is none.
    """
    wanted, *excluded = pattern.split(" !")
    found = [
        name for name in names if fnmatchcase(name, wanted) and not any(fnmatchcase(name, other) for other in excluded)
    ]
    if not found:
        raise ConfigError(f"{where}: {unknown('name or pattern', pattern, names)}")
    return found
