"""Families of specs: what there is to choose from where the configuration says `kind: x`.

A family is a folder below `demix.specs`. Its members are the modules in it, each with one spec class; a kind
"package.module:Class" is a class of the user's own, which derives from the family's base. There is no list by hand.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from pydantic import BeforeValidator

from demix.specs.base import SPEC_PACKAGE, Member
from demix.support.errors import unknown


def member_of(family: str, default: str | None = None) -> BeforeValidator:
    """Turns plain data into a member of a family: a mapping with its kind and parameters, or its bare name.

    Args:
        family: the folder below `demix.specs`, such as "latents.densities".
        default: kind of a mapping that names none.
    """

    def to_member(value: Any) -> Any:
        if isinstance(value, str):
            value = {"kind": value}
        if not isinstance(value, dict):
            return value
        kind = value.get("kind", default)
        if kind is None:
            raise ValueError("the key kind is missing")
        return member(family, kind).model_validate(value)

    return BeforeValidator(to_member)


@cache
def kinds(family: str) -> tuple[str, ...]:
    """Kinds that a family has, in alphabetical order: the modules in its folder."""
    package = import_module(f"{SPEC_PACKAGE}.{family}")
    return tuple(sorted(module.name for module in iter_modules(package.__path__) if not module.ispkg))


@cache
def member(family: str, kind: str) -> type[Member]:
    """The spec class of a kind.

    Raises:
        ValueError: there is no such kind, or the user's own class cannot be imported or does not belong to the family.
    """
    if ":" in str(kind):
        return _own(family, kind)
    if kind not in kinds(family):
        raise ValueError(unknown("kind", kind, [*kinds(family), "module:Class"]))
    module = import_module(f"{SPEC_PACKAGE}.{family}.{kind}")
    (found,) = _defined_in(module)
    return found


def _own(family: str, kind: str) -> type[Member]:
    """A class of the user's own."""
    module_name, _, name = kind.partition(":")
    try:
        module = import_module(module_name)
    except Exception as error:
        raise ValueError(f"kind {kind}: module {module_name} cannot be imported ({error})") from None
    found = getattr(module, name, None)
    base = base_of(family)
    if not isinstance(found, type) or not issubclass(found, base):
        raise ValueError(f"kind {kind}: {module.__file__} has no class {name} that derives from {_path(base)}")
    return found


@cache
def base_of(family: str) -> type[Member]:
    """What all members of a family derive from: the class that the folder itself defines."""
    (base,) = _defined_in(import_module(f"{SPEC_PACKAGE}.{family}"))
    return base


def _defined_in(module: Any) -> list[type[Member]]:
    """Classes of members that a module defines itself."""
    classes = (value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Member))
    return [found for found in classes if found.__module__ == module.__name__]


def _path(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"
