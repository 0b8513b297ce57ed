"""demix: when does contrastive learning recover the true generative factors of data?

The public names are those that `__init__.pyi` lists, which type checkers read too. Each is imported when it is first
used, so that commands which need no torch never load it.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any


def _listed() -> dict[str, str]:
    """Public names, and the module that each comes from."""
    tree = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    return {alias.name: str(node.module) for node in imports for alias in node.names}


_MODULES = _listed()

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'demix' has no attribute '{name}'")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return __all__
