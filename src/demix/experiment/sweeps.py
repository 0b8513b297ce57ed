"""Sweeps: many runs from one entry of the configuration, one for every value on a grid."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.specs.sweep import SweepSpec
from demix.support.errors import ConfigError, unknown


def expand(name: str, sweep: SweepSpec, base: RunSpec, where: str) -> Iterator[tuple[str, RunSpec]]:
    """Id and spec of every run of a sweep, in the order of its values.

    Args:
        name: of the sweep; ids are <name>@<value>, with several varied places <name>@<value>@<value>.
        sweep: what is varied.
        base: the run before anything is varied.
        where: place of the sweep in the configuration.

    Raises:
        ConfigError: a place does not exist in the run, or a value is not allowed there.
    """
    for values in product(*sweep.vary.values()):
        content = base.model_dump(mode="json")
        for place, value in zip(sweep.vary, values, strict=True):
            _put(content, place, value, f"{where}.vary")
        shown = ", ".join(f"{place} = {value}" for place, value in zip(sweep.vary, values, strict=True))
        yield "@".join([name, *map(str, values)]), parse(RunSpec, content, f"{where}.vary ({shown})")


def _put(content: dict[str, Any], place: str, value: Any, where: str) -> None:
    """Set a value deep in nested mappings, at a dotted place that exists."""
    *parents, last = place.split(".")
    for key in parents:
        content = _inner(content, key, f"{where}.{place}")
    if last not in content:
        raise ConfigError(f"{where}.{place}: {unknown('key', last, content)}")
    content[last] = value


def _inner(content: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    if key not in content:
        raise ConfigError(f"{where}: {unknown('key', key, content)}")
    if not isinstance(content[key], dict):
        raise ConfigError(f"{where}: '{key}' is {content[key]!r} here, it has no parts")
    return content[key]
