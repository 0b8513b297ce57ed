"""Keys: digests of all that decides a result, and of nothing else.

The code part of a key is a digest over the syntax trees of the modules that a spec reaches: those that its
components name as their implementation, and what these import from this package. Comments and docstrings are not
in it, nor are the training loop, progress, files, command lines and tables, which no implementation imports: the
loop decides when to stop and to report, not what a step does.

A module of a user's own counts with what it imports from its own folder (or package) and from demix.
"""

import ast
import hashlib
import json
from collections.abc import Set
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from demix.specs.base import SPEC_PACKAGE, Component, Spec, components, content
from demix.support.provenance import versions

SHORT = 8
"""Digits of a key that a folder's name carries."""

OURS = "demix"
"""The package whose modules decide results wherever they are imported."""


def result_key(spec: Spec, *extra_modules: str, evaluation: bool = True) -> str:
    """Key of the results of a spec: 64 hexadecimal digits.

    Args:
        spec: fully resolved.
        extra_modules: modules that decide the result beside the implementations of the spec's components.
        evaluation: false for a training, which is the same whatever it is scored on.
    """
    return _digest_of(key_parts(spec, *extra_modules, evaluation=evaluation))


def key_parts(spec: Spec, *extra_modules: str, evaluation: bool = True) -> dict[str, Any]:
    """What the key of `result_key` is a digest of: to say in which parts two keys differ.

    Returns:
        "spec", "code" (a digest for each module that is reached) and "versions".
    """
    found = list(components(spec))
    modules = {component.implemented_by.split(":")[0] for component in found}
    modules |= {module for component in found for module in component.programs}
    libraries = spec.libraries if isinstance(spec, Component) else Component.libraries
    return {
        "spec": content(spec, evaluation=evaluation),
        "code": module_digests(frozenset(modules | set(extra_modules))),
        "versions": _versions(libraries),
    }


def _digest_of(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


@cache
def _versions(libraries: tuple[str, ...]) -> dict[str, str]:
    found = versions(*libraries)
    del found["python"]
    return {name: text.split("+")[0] for name, text in found.items()}  # +cpu, +cu130: the device


def code_digest(modules: frozenset[str]) -> str:
    """Digest of the syntax trees of modules and of what they import from their own package."""
    return _digest_of(module_digests(modules))


@cache
def module_digests(modules: frozenset[str]) -> dict[str, str]:
    """Digest of the syntax tree of each module, and of each that they import from their own package."""
    trees = {module: _parsed(module)[0] for module in sorted(_reachable(modules))}
    return {module: hashlib.sha256(tree.encode()).hexdigest() for module, tree in trees.items()}


def _reachable(modules: Set[str]) -> set[str]:
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found and not _in_specs(module):
            found.add(module)
            waiting.extend(_parsed(module)[1])
    return found


def _in_specs(module: str) -> bool:
    """What specs decide is in the resolved spec itself."""
    return module == SPEC_PACKAGE or module.startswith(f"{SPEC_PACKAGE}.")


@cache
def _parsed(module: str) -> tuple[str, tuple[str, ...]]:
    """A module's code as text, without comments and docstrings, and the modules that it imports and that count."""
    source = _source(module)
    assert source is not None, f"no source for {module}"
    tree = ast.parse(source.read_text(encoding="utf-8"))
    imports = set()
    for node in ast.walk(tree):
        _drop_docstrings(node)
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, module, source)
            imports |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    counting = (name for name in imports if _counts(name, module, source))
    return ast.unparse(tree), tuple(sorted(counting))  # unlike ast.dump the same in every version of Python


def _absolute(node: ast.ImportFrom, module: str, source: Path) -> str:
    """The module that a `from` import names, also where it is relative."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    package = parts if source.name == "__init__.py" else parts[:-1]
    return ".".join([*package[: len(package) - node.level + 1], *([node.module] if node.module else [])])


def _counts(name: str, importer: str, source: Path) -> bool:
    """An imported name is a module of demix, of the importer's own package, or a file beside it."""
    package = name.split(".")[0]
    if package in (OURS, importer.split(".")[0]):
        return _source(name) is not None
    beside = source.parent / package
    own = "." not in importer and (beside.with_suffix(".py").is_file() or (beside / "__init__.py").is_file())
    return own and _source(name) is not None


def _drop_docstrings(node: ast.AST) -> None:
    """Drop strings that stand for themselves: docstrings, and those that describe a constant or a field above them."""
    body = getattr(node, "body", None)
    if isinstance(body, list):
        node.body = [statement for statement in body if not _is_text(statement)]  # type: ignore[attr-defined]


def _is_text(statement: ast.AST) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


@cache
def _source(module: str) -> Path | None:
    """Source file of a module, found without importing it; None for a name that is no module."""
    package, *rest = module.split(".")
    found = _located(package)
    if found is None:
        return None
    if not found.submodule_search_locations:  # a single file
        return Path(found.origin) if not rest and found.origin and found.origin.endswith(".py") else None
    path = Path(found.submodule_search_locations[0]).joinpath(*rest)
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)


@cache
def _located(package: str) -> ModuleSpec | None:
    """Where a package or single module lies; None if there is none of that name."""
    try:
        return find_spec(package)
    except ValueError:  # it is being run: it has no spec
        return None
