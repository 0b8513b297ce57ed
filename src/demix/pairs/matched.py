"""Which pictures make a pair: latents drawn from the conditional, matched to the nearest pictures that there are.

ICML 2021, Appendix A.2.3, in the convention of the authors' code: z' is uniform on the box and z~' comes from the
conditional around z', not around what z' is matched to; then both are replaced by their nearest neighbours among the
latents of the pictures, z~ by the second nearest where the nearest is z itself. A pair never is one picture twice.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from demix.specs.densities import Density
from demix.support.building import build
from demix.support.randomness import torch_generator

LOW, HIGH = -1.0, 1.0
"""The box of the latents in raw units."""

CELLS, PROBED = 1024, 10
"""Of the approximate index: `IVF1024_HNSW32,Flat`, ten cells probed (the paper's footnote)."""

WIDTH_PAIRS = 4096


class MatchedPairs:
    """Pairs of pictures by their number.

    Args:
        conditional, anchors, neighbours: fields of the spec.
        latents: of the pictures, those that vary, raw units, (count, dim).
        seed: of the pairs.
    """

    def __init__(self, *, conditional: Density, anchors: str, neighbours: str, latents: NDArray, seed: int):
        if len(latents) < 2:
            raise ValueError(f"pairs need at least two pictures, got {len(latents)}")
        self.latents, self.seed = np.ascontiguousarray(latents, np.float32), seed
        self.conditional, self.anchors = build(conditional), anchors
        self.index = INDICES[neighbours](self.latents)

    def pairs(self, block: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Numbers of the pictures of `count` pairs, which depend on seed and block alone."""
        return self._drawn(torch_generator(self.seed, "pairs", str(block)), count)[:2]

    def _drawn(self, generator: torch.Generator, count: int) -> tuple[NDArray, NDArray, NDArray]:
        """The pairs, and the differences of the drawn latents before they were matched, (count, dim)."""
        dim = self.latents.shape[1]
        if self.anchors == "data":
            first = torch.randint(len(self.latents), (count,), generator=generator).numpy()
            center = torch.from_numpy(self.latents[first])
        else:
            center = torch.empty(count, dim).uniform_(LOW, HIGH, generator=generator)
            first = self.index.nearest(center.numpy(), 1)[:, 0]
        around = self.conditional.in_box(center, LOW, HIGH, generator)
        nearest, second = self.index.nearest(around.numpy(), 2).T
        return first, np.where(nearest == first, second, nearest), (around - center).numpy()

    def facts(self) -> dict[str, float]:
        """How wide pairs are: standard deviation of their difference in a latent, root mean square over the latents;
        as drawn, and as it is after matching. Raw units; from 4,096 pairs, the same for all seeds."""
        first, other, drawn = self._drawn(torch_generator(0, "width"), WIDTH_PAIRS)
        matched = self.latents[other] - self.latents[first]
        return {
            "pair_width": float(np.sqrt(np.square(matched).mean())),
            "pair_width_drawn": float(np.sqrt(np.square(drawn).mean())),
        }

    def view(self, pictures: torch.Tensor, position: int, member: int) -> torch.Tensor:
        """Pictures as they are."""
        return pictures


class KDTree:
    """Exact nearest neighbours. Of 250,000 pictures in ten latents 1,024 queries take 0.15 s of one core."""

    def __init__(self, points: NDArray[np.float32]):
        from scipy.spatial import cKDTree

        self._tree = cKDTree(points)

    def nearest(self, queries: NDArray, count: int) -> NDArray[np.int64]:
        """Numbers of the nearest points, nearest first, (queries, count)."""
        return self._tree.query(queries, k=np.arange(1, count + 1))[1]


class InvertedFile:
    """The approximate index of the paper's footnote; with fewer pictures it has fewer cells.

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
