"""Which images make a pair: factors drawn from the conditional, matched to the nearest images that there are.

ICML 2021, Appendix A.2.3, in the convention of the authors' code: z' is uniform on the box and z~' comes from the
conditional around z', not around what z' is matched to; then both are replaced by their nearest neighbours among the
factors of the images, z~ by the second nearest where the nearest is z itself. A pair never is one image twice.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from demix.pairs.common.base import Pairs, Samples, UnchangedViews
from demix.pairs.common.blocks import Blocks
from demix.specs.latents.densities import DensitySpec
from demix.support.building import build
from demix.support.randomness import torch_generator

LOW, HIGH = -1.0, 1.0
"""The box of the factors."""

CELLS, PROBED = 1024, 10
"""Of the approximate index: `IVF1024_HNSW32,Flat`, ten cells probed (the paper's footnote)."""

WIDTH_PAIRS = 4096


class Matched(UnchangedViews):
    """Pairs of images by their number.

    Args:
        conditional, anchors, neighbours: fields of the spec.
        samples: images whose "factors" are known and lie in the box [-1, 1].
        seed: of the pairs.
        device: where the training is; pairs are drawn on the CPU.

    Raises:
        ValueError: there are fewer than two images, or `neighbours` needs faiss-cpu and it is not installed.
    """

    def __init__(
        self,
        *,
        conditional: DensitySpec,
        anchors: str,
        neighbours: str,
        samples: Samples,
        seed: int,
        device: torch.device | str,
    ):
        if len(samples.numbers) < 2:
            raise ValueError(f"pairs need at least two images, got {len(samples.numbers)}")
        self.numbers = torch.from_numpy(samples.numbers)
        self.factors = np.ascontiguousarray(samples.known["factors"][samples.numbers], np.float32)
        self.seed, self.conditional, self.anchors = seed, build(conditional), anchors
        self.index = INDICES[neighbours](self.factors)
        self._blocks = Blocks(self._block, device)

    def pairs(self, position: int, count: int) -> Pairs:
        """Pairs by the numbers of their images; they depend on seed and position alone."""
        return self._blocks.pairs(position, count)

    def _block(self, block: int, count: int) -> Pairs:
        first, other, _ = self._drawn(torch_generator(self.seed, "pairs", str(block)), count)
        return Pairs(self.numbers[torch.from_numpy(first)], self.numbers[torch.from_numpy(other)])

    def _drawn(self, generator: torch.Generator, count: int) -> tuple[NDArray, NDArray, NDArray]:
        """Places of the images of pairs, and the differences of what was drawn before it was matched, (count, dim)."""
        dim = self.factors.shape[1]
        if self.anchors == "data":
            first = torch.randint(len(self.factors), (count,), generator=generator).numpy()
            center = torch.from_numpy(self.factors[first])
        else:
            center = torch.empty(count, dim).uniform_(LOW, HIGH, generator=generator)
            first = self.index.nearest(center.numpy(), 1)[:, 0]
        around = self.conditional.in_box(center, LOW, HIGH, generator)
        nearest, second = self.index.nearest(around.numpy(), 2).T
        return first, np.where(nearest == first, second, nearest), (around - center).numpy()

    def facts(self) -> dict[str, float]:
        """How wide pairs are: standard deviation of their difference in a factor, root mean square over the factors;
        as drawn, and as it is after matching. From 4,096 pairs, the same for all seeds."""
        first, other, drawn = self._drawn(torch_generator(0, "width"), WIDTH_PAIRS)
        matched = self.factors[other] - self.factors[first]
        return {
            "pair_width": float(np.sqrt(np.square(matched).mean())),
            "pair_width_drawn": float(np.sqrt(np.square(drawn).mean())),
        }


class KDTree:
    """Exact nearest neighbours. Of 250,000 points in ten dimensions 1,024 queries take 0.15 s of one core."""

    def __init__(self, points: NDArray[np.float32]):
        from scipy.spatial import cKDTree

        self._tree = cKDTree(points)

    def nearest(self, queries: NDArray, count: int) -> NDArray[np.int64]:
        """Numbers of the nearest points, nearest first, (queries, count)."""
        return self._tree.query(queries, k=np.arange(1, count + 1))[1]


class InvertedFile:
    """The approximate index of the paper's footnote; with fewer points it has fewer cells.

    Raises:
        ValueError: faiss-cpu is not installed.
    """

    def __init__(self, points: NDArray[np.float32]):
        try:
            import faiss
        except ImportError:
            raise ValueError(
                "neighbours ivf_hnsw needs the package faiss-cpu (pip install faiss-cpu); exact does not"
            ) from None
        cells = min(CELLS, max(1, len(points) // 39))  # faiss asks for 39 points a cell to train with
        index: Any = faiss.index_factory(points.shape[1], f"IVF{cells}_HNSW32,Flat")
        index.train(points)
        index.add(points)
        index.nprobe = PROBED
        self._index = index

    def nearest(self, queries: NDArray, count: int) -> NDArray[np.int64]:
        """Numbers of the nearest points found, nearest first, (queries, count)."""
        return self._index.search(np.ascontiguousarray(queries, np.float32), count)[1]


INDICES: dict[str, Any] = {"exact": KDTree, "ivf_hnsw": InvertedFile}
