"""Render a shard: some rows of an array of raw latents, as one Parquet file.

    python -m demix_render.shard --latents latents.npy --first 0 --count 1000 --preset fast --out shard.parquet

The content depends on latents, settings and Blender's version; threads, interruptions and the order of shards do not
change a byte. The noise of an image is seeded by its row. A killed process goes on from the journal beside the output
when the same command is given again.
"""

import argparse
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demix_render.container import ShardError, encode, write_shard
from demix_render.journal import Journal
from demix_render.latents import HUE_MODES, setting_of
from demix_render.scene import BLENDER, LATENT_NAMES, LATENTS, MESH, PRESETS, Preset

DEVICES = ("cpu", "cuda", "optix", "hip", "oneapi")
SECONDS_BETWEEN_LINES = 10.0
SECONDS_BETWEEN_FLUSHES = 10.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line; errors that a user can mend are one line."""
    options = parser().parse_args(arguments)
    try:
        render_shard(options)
    except (ShardError, ValueError) as error:
        sys.exit(f"demix_render: error: {error}")


def parser() -> argparse.ArgumentParser:
    """The options."""
    options = argparse.ArgumentParser(
        prog="python -m demix_render.shard", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--latents", type=Path, required=True, help=f"npy file (n, {len(LATENT_NAMES)}) in [-1, 1]")
    options.add_argument("--first", type=int, default=0, help="first row")
    options.add_argument("--count", type=int, help="number of rows; default: all that follow")
    options.add_argument("--out", type=Path, required=True, help="Parquet file to write")
    options.add_argument("--preset", choices=sorted(PRESETS), default="fast")
    options.add_argument("--size", type=int, help="height and width in pixels, in place of the preset's")
    options.add_argument("--samples", type=int, help="samples of a pixel, in place of the preset's")
    options.add_argument("--hue-mode", choices=HUE_MODES, default="published")
    options.add_argument("--z-scale", type=float, default=LATENTS.position, help="metres of a raw z of 1")
    options.add_argument("--device", choices=DEVICES, default="cpu")
    options.add_argument("--threads", type=int, default=1, help="of the CPU")
    options.add_argument("--any-blender", action="store_true", help=f"also with another Blender than {BLENDER}")
    return options


def render_shard(options: argparse.Namespace) -> None:
    """Render what is not there yet and write the file.

    Raises:
        ShardError: the latents, the size or Blender are not what they should be.
    """
    latents = read_latents(options.latents, options.first, options.count)
    preset = _preset(options)
    with quiet():
        renderer, about = _start(options, preset)
        try:
            identity = {**about, "first": options.first, "latents": hashlib.sha256(latents.tobytes()).hexdigest()}
            journal = Journal(options.out.with_name(f"{options.out.name}.journal"), identity)
            _say_start(journal, len(latents), about)
            settings = [setting_of(row, options.hue_mode, options.z_scale) for row in latents]
            started, progress, flushed = len(journal.images), Progress(len(latents)), time.monotonic()
            for place in range(started, len(latents)):
                journal.append(encode(renderer.render(settings[place], options.first + place)))
                progress.show(place + 1, place + 1 - started)
                if time.monotonic() - flushed > SECONDS_BETWEEN_FLUSHES:
                    journal.flush()
                    flushed = time.monotonic()
            write_shard(options.out, options.first, latents, journal.images, about)
            journal.remove()
        finally:
            renderer.close()
    progress.end(len(latents), len(latents) - started)


def read_latents(path: Path, first: int, count: int | None) -> NDArray[np.float32]:
    """Rows of an array of raw latents, (count, 10).

    Raises:
        ShardError: the file is missing, has another shape or values out of range, or fewer rows.
    """
    try:
        every = np.load(path, allow_pickle=False, mmap_mode="r")
    except (OSError, ValueError) as error:
        raise ShardError(f"--latents: {path} is not readable ({error})") from None
    if every.ndim != 2 or every.shape[1] != len(LATENT_NAMES):
        raise ShardError(f"--latents: {path} has shape {every.shape}, not (n, {len(LATENT_NAMES)})")
    rows = np.array(every[first : None if count is None else first + count], dtype=np.float32)
    if first < 0 or not len(rows) or (count is not None and len(rows) != count):
        raise ShardError(f"--first {first} --count {count}: {path} has {len(every):,} rows")
    if not (np.abs(rows) <= 1).all():
        raise ShardError(f"--latents: {path} has values out of [-1, 1]; raw units are wanted")
    return rows


def _preset(options: argparse.Namespace) -> Preset:
    preset = PRESETS[options.preset]
    chosen = Preset(options.size or preset.size, options.samples or preset.samples)
    if chosen.size < 8 or chosen.samples < 1 or options.threads < 1:
        raise ShardError(f"need --size >= 8, --samples >= 1, --threads >= 1, got {chosen}, {options.threads} threads")
    return chosen


def _start(options: argparse.Namespace, preset: Preset) -> tuple[Any, dict[str, Any]]:
    """The renderer, and how images are made, for the record."""
    from demix_render.teapot import mesh_digest

    with few_processors(options.threads):
        from demix_render import blender
    found = blender.version()
    if found != BLENDER and not options.any_blender:
        raise ShardError(f"Blender {found} makes other images than {BLENDER}; --any-blender allows it")
    if mesh_digest() != MESH:
        raise ShardError(f"the teapot's mesh has digest {mesh_digest()}, not {MESH}")
    renderer = blender.Renderer(preset, options.device, options.threads)
    about = {
        "blender": found,
        "device": renderer.device,
        "hue_mode": options.hue_mode,
        "mesh": MESH,
        "preset": options.preset,
        "samples": preset.samples,
        "size": preset.size,
        "z_scale": options.z_scale,
    }
    return renderer, about


def _say_start(journal: Journal, count: int, about: dict[str, Any]) -> None:
    if journal.damage:
        _say(f"{journal.path}: {journal.damage}; the rest is made again")
    if journal.images:
        _say(f"going on after {len(journal.images)} of {count} images")
    _say(f"Blender {about['blender']}, {about['device']}, {about['size']} px, {about['samples']} samples")


class Progress:
    """Lines with images per second and the time left, every so often.

    Args:
        count: images of the shard.
        say: where lines go.
    """

    def __init__(self, count: int, say: Callable[[str], None] | None = None):
        self._count, self._say = count, say or _say
        self._started = self._said = time.monotonic()
        self._cpu = time.process_time()

    def show(self, done: int, made: int) -> None:
        """Say how far it is, unless that was said just now.

        Args:
            done: images that are there.
            made: those of them that this process made.
        """
        now = time.monotonic()
        if now - self._said < SECONDS_BETWEEN_LINES:
            return
        self._said = now
        rate = made / (now - self._started)
        left = (self._count - done) / rate
        self._say(f"{done}/{self._count} images, {rate:.2f} images/s, {left / 60:.1f} min left")

    def end(self, done: int, made: int) -> None:
        """Say what it took."""
        seconds = time.monotonic() - self._started
        cpu = time.process_time() - self._cpu
        rate = f", {made / seconds:.2f} images/s, {cpu / made:.2f} CPU-s an image" if made else ""
        self._say(f"{done}/{self._count} images{rate}")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextmanager
def few_processors(count: int) -> Iterator[None]:
    """Lets this process use only `count` processors inside the context, on Linux.

    For loading Blender: its scheduler makes a thread for each that it sees then, however many a render is to use; one
    that has nothing to do does not sleep, and takes a processor from other work all the while.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(every)[:count])
    try:
        yield
    finally:
        for thread in os.listdir("/proc/self/task"):
            with suppress(OSError):  # it has ended
                os.sched_setaffinity(int(thread), every)


@contextmanager
def quiet() -> Iterator[None]:
    """While it lasts file descriptor 1, where Blender prints about every image, leads nowhere."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


if __name__ == "__main__":
    main()
