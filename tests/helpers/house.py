"""What lies where in the package, found by walking its folders, without importing an implementation."""

import ast
import re
from functools import cache
from pathlib import Path

from project import ROOT

SOURCES = ROOT / "src"
PACKAGE = SOURCES / "demix"
SPECS = PACKAGE / "specs"


def commands():
    """Names of the files that lie directly in the package, and of the folders that are run as one."""
    files = [path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__"]
    folders = [path.parent.name for path in PACKAGE.glob("*/__main__.py")]
    return sorted(files + folders)


def modules_below(*folders):
    """Dotted names of all modules in folders of the package, `common` ones too."""
    files = (file for folder in folders for file in (PACKAGE / folder).rglob("*.py"))
    return sorted(dotted(file) for file in files if file.stem != "__main__")


def dotted(file):
    """The name of the module that a file holds."""
    parts = file.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def families():
    """Families of components: folders of specs whose `__init__` calls on its members."""
    found = []
    for init in sorted(SPECS.rglob("__init__.py")):
        called = re.search(r'member_of\("([\w.]+)"', init.read_text())
        family = ".".join(init.parent.relative_to(SPECS).parts)
        if called and called.group(1) == family:
            found.append(family)
    return tuple(found)


def members(family):
    """Kinds of a family: the modules in its folder."""
    folder = SPECS.joinpath(*family.split("."))
    return sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")


def defined_in(module):
    """Names of classes and functions that the source of a module defines; None where there is no such source."""
    path = SOURCES.joinpath(*module.split("."))
    file = next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)
    if file is None:
        return None
    return {node.name for node in ast.parse(file.read_text()).body if isinstance(node, ast.ClassDef | ast.FunctionDef)}


@cache
def words_of_tests():
    """All words in the files of tests and of their helpers."""
    files = Path(ROOT, "tests").rglob("*.py")
    return frozenset(word for file in files for word in re.findall(r"\w+", file.read_text()))
