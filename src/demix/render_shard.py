"""Render a shard with the Python that a card names; options after `--` are those of `demix_render.shard`."""

import os
import sys
from pathlib import Path

from demix.cli import parser, run
from demix.datasets.card import read_available
from demix.errors import DataError
from demix.renderer import renderer_python


def main() -> None:
    """Command line."""
    arguments = parser("render_shard", __doc__)
    arguments.add_argument("--renderer", required=True, type=Path, help="card of demix.render_environment")
    arguments.add_argument("options", nargs="+", help="options of demix_render.shard")
    options = arguments.parse_args()
    python = Path(read_available(options.renderer)["statistics"]["python"])
    if not python.exists():
        python, _ = renderer_python(options.renderer.parent)  # somebody has tidied up
    become_renderer(python, options.options)


def become_renderer(python: Path, options: list[str]) -> None:
    """Replace this process, so that signals reach the one that renders.

    Raises:
        DataError: the interpreter is not there any more.
    """
    # the renderer's own packages and ours, not what was made for the Python that runs now
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    sys.stderr.flush()
    try:
        os.execve(python, [str(python), "-m", "demix_render.shard", *options], environment)
    except OSError as error:
        raise DataError(f"{python} cannot be run ({error.strerror}); python -m demix.render_environment") from None


if __name__ == "__main__":
    run(main)
