"""Keys: digests of all that decides a result, and of nothing else.

The code part of a key is a digest over the syntax trees of the modules that a spec reaches: those that its
components name as their implementation, and what these import from this package. Comments and docstrings are not
in it, nor are the training loop, progress, files, command lines and tables, which no implementation imports: the
loop decides when to stop and to report, not what a step does.
"""

import ast
import hashlib
import json
from collections.abc import Iterator, Set
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from demix.provenance import versions
from demix.specs.base import Component, Spec

SHORT = 8
"""Digits of a key that a folder's name carries."""

SPEC_PACKAGE = "demix.specs"  # what specs decide is in the resolved spec itself


def result_key(spec: Spec, *extra_modules: str) -> str:
    """Key of the results of a spec: 64 hexadecimal digits.

    Args:
        spec: fully resolved.
        extra_modules: modules that decide the result beside the implementations of the spec's components.
    """
    return _digest_of(key_parts(spec, *extra_modules))


def key_parts(spec: Spec, *extra_modules: str) -> dict[str, Any]:
    """What the key of `result_key` is a digest of: to say in which parts two keys differ.

    Returns:
        "spec", "code" (a digest for each module that is reached) and "versions".
    """
    found = list(components(spec))
    modules = {component.implementation.split(":")[0] for component in found}
    modules |= {module for component in found for module in component.programs}
    libraries = spec.libraries if isinstance(spec, Component) else Component.libraries
    return {
        "spec": spec.model_dump(mode="json"),
        "code": module_digests(frozenset(modules | set(extra_modules))),
        "versions": _versions(libraries),
    }


def _digest_of(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@cache
def _versions(libraries: tuple[str, ...]) -> dict[str, str]:
    found = versions(*libraries)
    del found["python"]
    return {name: text.split("+")[0] for name, text in found.items()}  # +cpu, +cu130: the device


def components(spec: Any) -> Iterator[Component]:
    """A spec and all components below it that code implements."""
    if isinstance(spec, Component):
        yield spec
    if isinstance(spec, Spec):
        for name in type(spec).model_fields:
            yield from components(getattr(spec, name))


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
        if module not in found and not module.startswith(SPEC_PACKAGE):
            found.add(module)
            waiting.extend(_parsed(module)[1])
    return found


@cache
def _parsed(module: str) -> tuple[str, tuple[str, ...]]:
    """A module's code as text, without comments and docstrings, and the modules of its own package it imports."""
    source = _source(module)
    assert source is not None, f"no source for {module}"
    tree = ast.parse(source.read_text())
    package = module.split(".")[0]
    imports = set()
    for node in ast.walk(tree):
        _drop_docstring(node)
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    own = (name for name in imports if name.startswith(f"{package}.") and _source(name) is not None)
    return ast.unparse(tree), tuple(sorted(own))  # unlike ast.dump the same in every version of Python


def _drop_docstring(node: ast.AST) -> None:
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            node.body = node.body[1:]


@cache
def _source(module: str) -> Path | None:
    """Source file of a module, found without importing it; None for a name that is no module."""
    package, *rest = module.split(".")
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        return None
    path = Path(found.submodule_search_locations[0]).joinpath(*rest)
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)
