"""From rendered shards to a data set."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demix.datasets.common.conversion import Chunk, Conversion, Rendered, Split
from demix.datasets.common.rendering import shards
from demix.datasets.common.shards import REMEDY, RenderedShard, decoded, read_shard
from demix.specs.datasets import DatasetSpec
from demix.specs.datasets.common.rendering import RenderingSpec
from demix.specs.datasets.common.threedident import LATENTS
from demix.support.errors import DataError

CHUNK = 100


def packed(spec: DatasetSpec, dataset: Rendered, files: Sequence[Path]) -> Conversion:
    """The images of all shards with the latents that vary.

    Args:
        spec: what the images must be.
        dataset: draws their latents.
        files: all shards in the order of `demix.datasets.common.rendering.shards`.

    Raises:
        DataError: a shard is damaged or of other images; some are raised only when the images are read.
    """
    assert isinstance(spec, RenderingSpec)
    reader = ShardReader(spec)
    of_split: dict[str, list[Path]] = {split: [] for split in spec.shards}
    for shard, file in zip(shards(spec), files, strict=True):
        of_split[shard.split].append(file)
    splits = {
        split: Split(count, reader.chunks(of_split[split], dataset.latents(split)))
        for split, count in spec.shards.items()
    }
    facts = {"preset": spec.preset, "samples": spec.samples_a_pixel, "hue_mode": spec.hue_mode}
    facts |= {"z_scale": spec.z_scale, "held": dict(getattr(spec, "held", {})), "made_by": reader.made_by}
    return Conversion(splits, facts=facts)


class ShardReader:
    """Reads the shards of a data set in order.

    Args:
        spec: what the images must be.
    """

    def __init__(self, spec: DatasetSpec):
        assert isinstance(spec, RenderingSpec)
        self._columns: list[int] = [LATENTS.index(name) for name in spec.factors]
        self._wanted: dict[str, Any] = {"size": spec.pixels, "samples": spec.samples_a_pixel}
        self._wanted |= {"hue_mode": spec.hue_mode, "z_scale": spec.z_scale}
        self.made_by: dict[str, list[str]] = {}
        """What the shards that were read say of themselves."""

    def chunks(self, paths: Iterable[Path], latents: NDArray[np.float32]) -> Iterator[Chunk]:
        """Images with the latents that vary, some at a time.

        Args:
            paths: shards of one split in order.
            latents: those that were drawn, (n, 10).

        Raises:
            DataError: a shard is damaged, or holds other images than it should.
        """
        done = 0
        for path in paths:
            shard = read_shard(path)
            self._check(path, shard, latents[done : done + len(shard.images)], done)
            for start in range(0, len(shard.images), CHUNK):
                part = slice(start, start + CHUNK)
                yield decoded(shard.images[part]), {"factors": shard.latents[part][:, self._columns]}
            done += len(shard.images)

    def _check(self, path: Path, shard: RenderedShard, latents: NDArray, first: int) -> None:
        for name, value in self._wanted.items():
            if shard.about.get(name) != value:
                raise DataError(f"{path}: made with {name} {shard.about.get(name)}, not {value}; {REMEDY}")
        if shard.first != first or not np.array_equal(shard.latents, latents):
            raise DataError(f"{path}: has other latents than those that were drawn; {REMEDY}")
        for name in ("blender", "device"):
            known = self.made_by.setdefault(name, [])
            known += [shard.about[name]] if shard.about[name] not in known else []
