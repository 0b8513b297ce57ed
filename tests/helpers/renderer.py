"""The renderer for tests: its program, in its own environment."""

import functools
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from demix.datasets.common.conversion import NotAvailableError
from demix.datasets.renderer import renderer_python

ROOT = Path(__file__).parents[2]


@functools.cache
def interpreter():
    """A Python with Blender, set up if need be; without one the test is skipped with the reason."""
    try:
        return renderer_python(ROOT / "results" / "data" / "renderer")[0]
    except NotAvailableError as error:
        pytest.skip(error.reason)


def command(latents, out, *options):
    """A command that renders, and its environment."""
    given = ["--latents", str(latents), "--out", str(out), *map(str, options)]
    return [str(interpreter()), "-m", "demix_render.shard", *given], os.environ | {"PYTHONPATH": str(ROOT / "src")}


def render(latents, out, *options, check=True):
    """Render a shard; what `subprocess.run` returns."""
    line, environ = command(latents, out, *options)
    result = subprocess.run(line, capture_output=True, text=True, env=environ)
    assert not check or result.returncode == 0, result.stderr
    return result


def save_latents(path, rows):
    """Write raw latents, each row a mapping from columns to values, all others 0."""
    latents = np.zeros((len(rows), 10), np.float32)
    for place, row in enumerate(rows):
        for column, value in row.items():
            latents[place, column] = value
    np.save(path, latents)
    return path


def inside(source, **arguments):
    """What Python source in the renderer's environment leaves in `result`, which must be plain data."""
    line = [str(interpreter()), "-c", f"import json\n{source}\nprint(json.dumps(result))", json.dumps(arguments)]
    found = subprocess.run(
        line, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")}, check=True
    )
    return json.loads(found.stdout.splitlines()[-1])
