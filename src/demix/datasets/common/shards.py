"""Shards of rendered images, the Parquet files of `demix_render.shard`."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demix.support.errors import DataError
from demix_render import container

REMEDY = "delete it to have it rendered again"


@dataclass(frozen=True)
class RenderedShard:
    """An open shard.

    Args:
        first: index of its first image.
        latents: raw, (n, 10) float32.
        images: as PNG.
        about: how they were made, such as "blender" and "device".
    """

    first: int
    latents: NDArray[np.float32]
    images: list[bytes]
    about: dict[str, Any]


def read_shard(path: Path) -> RenderedShard:
    """A shard whose images have been compared with their digest.

    Raises:
        DataError: it is missing or damaged.
    """
    try:
        index, latents, images, about = container.read_shard(path)
        return RenderedShard(int(index[0]), latents, images, about)
    except (container.ShardError, IndexError) as error:
        raise DataError(f"{error}; {REMEDY}") from None


def decoded(images: Iterable[bytes]) -> NDArray[np.uint8]:
    """Images (n, size, size, 3) uint8 from PNG."""
    return np.stack([container.decode(content) for content in images])
