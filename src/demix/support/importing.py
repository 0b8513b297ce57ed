"""Where classes of a user's own are imported from: the folders of the configuration files."""

import importlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path

VARIABLE = "DEMIX_PATH"
"""Names these folders to the steps of a workflow. Unlike those of PYTHONPATH they hide no other module."""


def folders_of(files: Iterable[Path]) -> list[str]:
    """The folders of files, each once, as whole paths."""
    return list(dict.fromkeys(str(Path(file).resolve().parent) for file in files))


def add_import_folders(folders: Iterable[str]) -> None:
    """Make modules in these folders importable, after all others."""
    new = [folder for folder in folders if folder not in sys.path]
    sys.path += new
    if new:
        importlib.invalidate_caches()


def hand_on(files: Iterable[Path]) -> None:
    """Let steps that this process starts import from the folders of files, and from no others."""
    os.environ[VARIABLE] = os.pathsep.join(folders_of(files))


def add_handed_on() -> None:
    """Make importable what the workflow that started this process can import."""
    add_import_folders(filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))
