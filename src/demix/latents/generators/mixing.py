"""The mixing network: a small invertible network from latents to observations of the same dimension."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from demix.support.randomness import numpy_generator

MAX_POOLS = 40


class Mixing:
    """The mixing network of a seed, as a generator of observations.

    Args:
        layers, slope, last_activation, normalize, candidates, selection: see `draw_mixing_weights`, `MixingNetwork`.
        dim: number of latents.
        seed: of the weights, the same for all problems with that number of latents and kind of mixing.
        arrays: weights that were drawn before, "layer0", "layer1", ...; None: they are drawn now.
    """

    def __init__(
        self,
        *,
        layers: int,
        slope: float,
        last_activation: bool,
        normalize: str,
        candidates: int,
        selection: str,
        dim: int,
        seed: int,
        arrays: Mapping[str, np.ndarray] | None = None,
    ):
        if arrays is None:
            choice = {"candidates": candidates, "normalize": normalize, "selection": selection}
            drawn = draw_mixing_weights(dim, layers, **choice, generator=numpy_generator(seed, "mixing"))  # type: ignore[arg-type]
            arrays = {f"layer{i}": weight for i, weight in enumerate(drawn)}
        self.arrays = {f"layer{i}": arrays[f"layer{i}"] for i in range(len(arrays))}
        self.slope, self.last_activation = slope, last_activation

    def on(self, device: torch.device | str) -> "MixingNetwork":
        """The map from latents (batch, dim) to observations, on a device."""
        tensors = [torch.as_tensor(array, dtype=torch.float32, device=device) for array in self.arrays.values()]
        return MixingNetwork(tensors, self.slope, self.last_activation)

    def statistics(self) -> dict[str, list[float]]:
        """For the data card: condition number (2-norm) of every map."""
        return {"condition_numbers": [float(np.linalg.cond(array)) for array in self.arrays.values()]}


class MixingNetwork:
    """x = g(z): square linear maps without bias, leaky ReLU between them (ICML 2021, Appendix A.3).

    Frozen: it has no parameters that an optimiser could find.

    Args:
        weights: one (dim, dim) matrix a layer, applied as W z.
        slope: negative slope of the leaky ReLU.
        last_activation: an activation after the last map too.
    """

    def __init__(self, weights: Sequence[Tensor], slope: float = 0.2, last_activation: bool = False):
        self.weights = list(weights)
        self.slope = slope
        self.last_activation = last_activation

    def __call__(self, z: Tensor) -> Tensor:
        """Observations of latents, both (batch, dim)."""
        for layer, weight in enumerate(self.weights, start=1):
            z = z @ weight.to(z.dtype).T
            if layer < len(self.weights) or self.last_activation:
                z = torch.nn.functional.leaky_relu(z, self.slope)
        return z


def draw_mixing_weights(
    dim: int,
    layers: int = 3,
    *,
    candidates: int = 25_000,
    normalize: str = "columns",
    selection: str = "best",
    generator: np.random.Generator,
) -> list[np.ndarray]:
    """Well-conditioned random matrices, one (dim, dim) float64 array a layer.

    Entries are uniform on [-1, 1], then every column (or row) is scaled to unit L2 norm. The authors' code draws
    until a matrix is at least as well conditioned (2-norm) as the best of a pool, which has no finite expected
    time; the best of `candidates` fresh matrices has practically the same law and is the default.

    Args:
        normalize: "columns" (the authors' code; the weights that leave one input) or "rows".
        selection: "best", or "threshold" for the authors' loop, capped at 40 pools.

    Raises:
        ValueError: an unknown `normalize` or `selection`.
        RuntimeError: "threshold" found no matrix within its cap.
    """
    if normalize not in ("columns", "rows") or selection not in ("best", "threshold"):
        raise ValueError(f"normalize is columns or rows, selection best or threshold: {normalize=}, {selection=}")
    axis = 1 if normalize == "columns" else 2

    def pool() -> tuple[np.ndarray, np.ndarray]:
        matrices = generator.uniform(-1, 1, (candidates, dim, dim))
        matrices /= np.linalg.norm(matrices, axis=axis, keepdims=True)
        return matrices, np.linalg.cond(matrices)

    def best() -> np.ndarray:
        matrices, conditions = pool()
        return matrices[conditions.argmin()]

    if selection == "best":
        return [best() for _ in range(layers)]
    threshold = pool()[1].min()
    return [_first_below(pool, threshold) for _ in range(layers)]


def _first_below(pool, threshold: float) -> np.ndarray:
    """The first fresh matrix whose condition number is at most the threshold."""
    for _ in range(MAX_POOLS):
        matrices, conditions = pool()
        good = np.flatnonzero(conditions <= threshold)
        if good.size:
            return matrices[good[0]]
    raise RuntimeError(f"no matrix with a condition number of at most {threshold:.3f} in {MAX_POOLS} pools")
