"""A clean copy of the project and its workflow, for tests that run it."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "workflow_config.yaml"
GOLDEN = ROOT / "tests" / "golden"


def copy_project(target):
    """Copy what git tracks or would add, and nothing else, to the folder `target`."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name, follow_symlinks=False)
    return target


def environment(clone, **more):
    """The environment of a command in a copy: its package, not the installed one, and this checkout's renderer."""
    renderer = ROOT / ".venv-render" / "bin" / "python"
    named = {"DEMIX_RENDER_PYTHON": str(renderer)} if renderer.exists() else {}
    return named | os.environ | {"PYTHONPATH": str(clone / "src")} | more


def snakemake(folder, *arguments, check=True, **more):
    """Run Snakemake in a copy on two cores, with more environment variables; what `subprocess.run` returns."""
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment(folder, **more))
    assert not check or result.returncode == 0, result.stdout + result.stderr
    return result


@contextmanager
def edited(clone, file, old, new):
    """While it lasts, the first `old` in a file of a copy is `new`."""
    text = (clone / file).read_text()
    assert old in text
    (clone / file).write_text(text.replace(old, new, 1))
    try:
        yield
    finally:
        (clone / file).write_text(text)


def text_of(clone, file):
    """A text below results/smoke in a copy, its lines joined and every white space one blank."""
    return " ".join((clone / "results/smoke" / file).read_text().split())


def planned(result):
    """Jobs by rule in the statistics of a dry run."""
    rows = re.findall(r"^(\w+) +(\d+)$", result.stdout + result.stderr, re.MULTILINE)
    return {rule: int(count) for rule, count in rows}
