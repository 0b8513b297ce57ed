"""Render a shard of images, with the Python interpreter that the card of the renderer names.

The latents of the images are drawn here, from the spec alone.

With DEMIX_CACHE set, the shard is copied from there if it is there, else stored there (see demix.workflow.store). A
process that is killed goes on from the journal beside the output when the same command is given again.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from demix.datasets.common.card import read_available
from demix.datasets.common.rendering import Shard, render_options
from demix.datasets.renderer import renderer_python
from demix.specs.datasets import DatasetSpec, dataset_from
from demix.specs.datasets.common.rendering import RenderingSpec
from demix.support.checkout import SOURCES
from demix.support.cli import from_json, parser, run
from demix.support.errors import ConfigError, DataError, DemixError, unknown
from demix.workflow.store import Slot


def main() -> None:
    """Command line."""
    arguments = parser("render_shard", __doc__)
    arguments.add_argument("--spec", required=True, help="the data set's resolved spec, as JSON")
    arguments.add_argument("--key", default="", help="its key; without one the cache is not used")
    arguments.add_argument("--split", required=True, help="such as train")
    arguments.add_argument("--first", required=True, type=int, help="index of the first image in the split")
    arguments.add_argument("--count", required=True, type=int, help="number of images")
    arguments.add_argument("--renderer", required=True, type=Path, help="card of the environment to render in")
    arguments.add_argument("--device", default="cpu", help="of Blender; none: take the shard from the cache or fail")
    arguments.add_argument("--threads", type=int, default=1, help="of the CPU")
    arguments.add_argument("--out", required=True, type=Path, help="Parquet file to write")
    options = arguments.parse_args()
    spec = dataset_from(from_json(options.spec, "--spec"), "--spec")
    shard = Shard(options.split, options.first, options.count)
    slot = Slot("render_shard", options.key, shard.name, f"{spec.kind}-{options.out.stem}", spec)
    if slot.take(options.out.parent):
        return
    if options.device == "none":
        raise DemixError("no whole entry in the cache any more; give the same command again to render these images")
    render_shard(spec, shard, options.out, options.renderer, options.device, options.threads)
    slot.put(options.out.parent, (options.out.name,))


def render_shard(spec: DatasetSpec, shard: Shard, out: Path, renderer: Path, device: str, threads: int) -> None:
    """Draw the latents of a shard's split and render the shard.

    Args:
        spec: of a data set that is rendered.
        shard: which of its images.
        out: Parquet file to write.
        renderer: card of the environment to render in.
        device, threads: what Blender computes on.

    Raises:
        ConfigError: the data set is not rendered or has no such split.
        DataError: there is no environment to render in.
    """
    import numpy as np

    from demix.support.building import build

    if not isinstance(spec, RenderingSpec):
        raise ConfigError(f"--spec: data set {spec.kind} is not rendered")
    if shard.split not in spec.shards:
        raise ConfigError(f"--split: {unknown('split', shard.split, spec.shards)}")
    python = _python(renderer)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        latents = Path(folder) / "latents.npy"
        np.save(latents, build(spec).latents(shard.split))
        given = ["--latents", latents, "--first", shard.first, "--count", shard.count, "--out", out]
        given += ["--device", device, "--threads", threads]
        _run_renderer(python, [*map(str, given), *render_options(spec)])


def _python(card: Path) -> Path:
    """The interpreter that renders; set up anew if somebody has tidied up."""
    python = Path(read_available(card)["statistics"]["python"])
    return python if python.exists() else renderer_python(card.parent)[0]


def _run_renderer(python: Path, options: list[str]) -> None:
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
        again = 'python -m demix.obtain_data --spec \'{"kind": "renderer"}\''
        raise DataError(f"{python} cannot be run ({error.strerror}); {again}") from None
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: child.send_signal(number))
    status = child.wait()
    if status:
        sys.exit(status if status > 0 else 128 - status)


if __name__ == "__main__":
    run(main)
