"""Shards of rendered pictures, the Parquet files of `demix_render.shard`, as training reads them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demix.datasets.common.picture_folder import Chunk
from demix.specs.pictures import Rendering
from demix.support.errors import DataError
from demix_render import container

REMEDY = "delete it to have it rendered again"
CHUNK = 100


@dataclass(frozen=True)
class PictureShard:
    """An open shard.

    Args:
        first: index of its first picture.
        latents: raw, (n, 10) float32.
        pictures: as PNG.
        about: how they were made, such as "blender" and "device".
    """

    first: int
    latents: NDArray[np.float32]
    pictures: list[bytes]
    about: dict[str, Any]


def read_shard(path: Path) -> PictureShard:
    """A shard whose pictures have been compared with their digest.

    Raises:
        DataError: it is missing or damaged.
    """
    try:
        index, latents, pictures, about = container.read_shard(path)
        return PictureShard(int(index[0]), latents, pictures, about)
    except (container.ShardError, IndexError) as error:
        raise DataError(f"{error}; {REMEDY}") from None


def decoded(pictures: Iterable[bytes]) -> NDArray[np.uint8]:
    """Pictures (n, size, size, 3) uint8 from PNG."""
    return np.stack([container.decode(content) for content in pictures])


class ShardReader:
    """Reads the shards of a data set in order.

    Args:
        spec: what the pictures must be.
    """

    def __init__(self, spec: Rendering):
        self._spec = spec
        self.made_by: dict[str, list[str]] = {}

    def chunks(self, paths: Iterable[Path], latents: NDArray[np.float32]) -> Iterator[Chunk]:
        """Pictures and their latents, some at a time.

        Args:
            paths: shards of one split in order.
            latents: those that were asked for, (n, 10).

        Raises:
            DataError: a shard is damaged, or holds other pictures than it should.
        """
        done = 0
        for path in paths:
            shard = read_shard(path)
            self._check(path, shard, latents[done : done + len(shard.pictures)], done)
            for start in range(0, len(shard.pictures), CHUNK):
                part = slice(start, start + CHUNK)
                yield decoded(shard.pictures[part]), shard.latents[part]
            done += len(shard.pictures)

    def _check(self, path: Path, shard: PictureShard, latents: NDArray, first: int) -> None:
        spec = self._spec
        wanted: dict[str, Any] = {"size": spec.pixels, "samples": spec.samples_a_pixel}
        wanted |= {"hue_mode": spec.hue_mode, "z_scale": spec.z_scale}
        for name, value in wanted.items():
            if shard.about.get(name) != value:
                raise DataError(f"{path}: made with {name} {shard.about.get(name)}, not {value}; {REMEDY}")
        if shard.first != first or not np.array_equal(shard.latents, latents):
            raise DataError(f"{path}: has other latents than those that were drawn; {REMEDY}")
        for name in ("blender", "device"):
            known = self.made_by.setdefault(name, [])
            known += [shard.about[name]] if shard.about[name] not in known else []
