"""Which claims there are about a table or figure. Never imports torch."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

import demix.claims

if TYPE_CHECKING:
    from demix.claims.common.judging import Claim


@cache
def judged() -> tuple[str, ...]:
    """Names of the tables and figures that the papers make claims about: the modules of the folder."""
    return tuple(sorted(module.name for module in iter_modules(demix.claims.__path__) if not module.ispkg))


def claims_module(name: str) -> tuple[str, ...]:
    """The module of the claims about a table or figure; empty if the papers make none."""
    return (f"{demix.claims.__name__}.{name}",) if name in judged() else ()


def claims_about(name: str) -> "list[Claim]":
    """The claims about a table or figure, none if the papers make none."""
    return [claim for module in claims_module(name) for claim in import_module(module).CLAIMS]
