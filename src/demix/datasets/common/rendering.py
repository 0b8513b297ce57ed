"""What has to be rendered for a data set or a figure, and what it costs. Never imports bpy."""

from dataclasses import dataclass

from demix.specs.datasets import DatasetSpec
from demix.specs.datasets.common.rendering import RenderingSpec

SHARD = 1000
"""Images in a file, and in a job on a cluster."""

CPU_SECONDS_A_SAMPLE = 2e-6
"""Of one sample of one pixel on a slow CPU; measured 1.2 to 1.5 (docs/rendering.md)."""

CPU_SECONDS_A_PIXEL = 8e-6
"""Of what is done once for a pixel: denoiser, PNG."""

GPU_SPEEDUP = 10
"""Of any GPU over one CPU thread, as the least."""

START_MINUTES = 10


@dataclass(frozen=True)
class Shard:
    """Consecutive images of a split in one file.

    Args:
        split: such as "train".
        first: index of the first in the split.
        count: how many.
    """

    split: str
    first: int
    count: int

    @property
    def name(self) -> str:
        """Of its file, without ending."""
        return f"{self.split}-{self.first:06}"


def shards(spec: DatasetSpec) -> list[Shard]:
    """All shards of a data set in order, those of the first split first."""
    return [
        Shard(split, first, min(SHARD, count - first))
        for split, count in spec.shards.items()
        for first in range(0, count, SHARD)
    ]


def shard_minutes(spec: RenderingSpec, count: int, threads: int, gpus: int) -> float:
    """Run time that a job may need at the most, for `count` images."""
    pixels = count * spec.pixels**2
    seconds = pixels * (spec.samples_a_pixel * CPU_SECONDS_A_SAMPLE + CPU_SECONDS_A_PIXEL)
    return START_MINUTES + 2 * seconds / (GPU_SPEEDUP if gpus else threads) / 60


def render_options(spec: RenderingSpec) -> list[str]:
    """Options of `demix_render.shard` that decide the images."""
    return [
        *("--preset", spec.preset, "--size", str(spec.pixels), "--samples", str(spec.samples_a_pixel)),
        *("--hue-mode", spec.hue_mode, "--z-scale", str(spec.z_scale)),
    ]
