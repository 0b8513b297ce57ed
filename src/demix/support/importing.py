"""Where classes of a user's own are imported from: the folders of the configuration files."""

import importlib
import sys
from collections.abc import Iterable
from pathlib import Path


def folders_of(files: Iterable[Path]) -> list[str]:
    """The folders of files, each once, as whole paths."""
    return list(dict.fromkeys(str(Path(file).resolve().parent) for file in files))


def add_import_folders(folders: Iterable[str]) -> None:
    """Make modules in these folders importable, after all others."""
    new = [folder for folder in folders if folder not in sys.path]
    sys.path += new
    if new:
        importlib.invalidate_caches()
