"""Render a shard of pictures with the Python that a card names.

With DEMIX_CACHE set, it comes from there if it is there, and goes there if not (see demix.workflow.store). A process that is
killed goes on from the journal beside the output when the same command is given again.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

from demix.datasets.common.card import read_available
from demix.datasets.common.rendering import render_options
from demix.datasets.renderer import renderer_python
from demix.picture_latents import Rendered
from demix.specs.base import parse
from demix.support.checkout import SOURCES
from demix.support.cli import from_json, parser, run
from demix.support.errors import DataError, DemixError
from demix.workflow.store import PICTURES, Slot


def main() -> None:
    """Command line."""
    arguments = parser("render_shard", __doc__)
    arguments.add_argument("--spec", required=True, help="the resolved spec of the pictures, as JSON")
    arguments.add_argument("--key", default="", help="the pictures' key; without one the cache is not used")
    arguments.add_argument("--split", required=True, help="such as train")
    arguments.add_argument("--first", required=True, type=int, help="index of the first picture in the split")
    arguments.add_argument("--count", required=True, type=int, help="how many pictures")
    arguments.add_argument("--latents", required=True, type=Path, help="npy file with those of the split")
    arguments.add_argument("--renderer", required=True, type=Path, help="card of demix.render_environment")
    arguments.add_argument("--device", default="cpu", help="of Blender; none: take the shard from the cache or fail")
    arguments.add_argument("--threads", type=int, default=1, help="of the CPU")
    arguments.add_argument("--out", required=True, type=Path, help="Parquet file to write")
    options = arguments.parse_args()
    spec = parse(Rendered, {"pictures": from_json(options.spec, "--spec")}, "--spec").pictures
    slot = Slot(PICTURES[options.split], options.key, options.first, f"{spec.kind}-{options.out.stem}", spec)
    if slot.take(options.out.parent):
        return
    if options.device == "none":
        raise DemixError("no whole entry in the cache any more; give the same command again to render these pictures")
    shard = ["--latents", options.latents, "--first", options.first, "--count", options.count, "--out", options.out]
    shard += ["--device", options.device, "--threads", options.threads]
    render(_python(options.renderer), [*map(str, shard), *render_options(spec)])
    slot.put(options.out.parent, (options.out.name,))


def _python(card: Path) -> Path:
    """The interpreter that renders; set up anew if somebody has tidied up."""
    python = Path(read_available(card)["statistics"]["python"])
    return python if python.exists() else renderer_python(card.parent)[0]


def render(python: Path, options: list[str]) -> None:
    """Run `demix_render.shard`; a signal that asks this process to end goes on to that one.

    Raises:
        DataError: the interpreter cannot be run.
        SystemExit: it ended with another status than 0, which is passed on.
    """
    # the renderer's own packages and ours, not what was made for the Python that runs now
    environment = os.environ | {"PYTHONPATH": str(SOURCES)}
    try:
        child = subprocess.Popen([str(python), "-m", "demix_render.shard", *options], env=environment)
    except OSError as error:
        raise DataError(f"{python} cannot be run ({error.strerror}); python -m demix.render_environment") from None
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: child.send_signal(number))
    status = child.wait()
    if status:
        sys.exit(status if status > 0 else 128 - status)


if __name__ == "__main__":
    run(main)
