"""Where the package and the checkout that it belongs to lie."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
"""Folder of the package demix."""

SOURCES = PACKAGE.parent
"""Folder that holds our packages."""

CHECKOUT = SOURCES.parent
"""Folder of Snakefile and configuration, where the package is used from a checkout."""
