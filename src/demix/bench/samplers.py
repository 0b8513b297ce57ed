"""Samplers: ours beside numpy and scipy, in samples per second."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from demix.bench.measure import medians
from demix.latents.densities.common.base import Density
from demix.latents.densities.generalized_normal import GeneralizedNormal
from demix.latents.densities.laplace import Laplace
from demix.latents.densities.normal import Normal
from demix.latents.densities.uniform import Uniform
from demix.latents.densities.vmf import VonMisesFisher
from demix.latents.spaces.box import Box
from demix.latents.spaces.sphere import Sphere
from demix.latents.spaces.unbounded import Unbounded

DIM = 10
Reference = Callable[[NDArray, np.random.Generator], NDArray]


def rows(batches: Sequence[int], device: torch.device, threads: int, repeats: int) -> Iterator[dict[str, Any]]:
    """A row for each density and batch."""
    torch.set_num_threads(threads)
    for name, (space, density, reference) in samplers().items():
        for batch in batches:
            generator, numbers = torch.Generator(device).manual_seed(0), np.random.default_rng(0)
            middle = space.middle().to(device).expand(batch, DIM)
            centers = middle if isinstance(space, Unbounded) else space.draw(Uniform(), middle, generator)
            arrays = centers.double().cpu().numpy()
            calls: dict[str, Callable[[], object]] = {
                "ours": partial(space.draw, density, centers, generator),
                "numpy": partial(_in_single, reference, arrays, numbers),
            }
            times = medians(calls, device, repeats)
            yield {
                "what": "samplers",
                "density": name,
                "batch": batch,
                "ours_per_second": 1e3 * batch / times["ours"],
                "numpy_per_second": 1e3 * batch / times["numpy"],
                "time_ratio": times["numpy"] / times["ours"],
                "device": device.type,
                "threads": threads,
            }


def samplers() -> dict[str, tuple[Any, Density, Reference]]:
    """Space, density and a reference in numpy, by name; those of the tables."""
    sphere, box, unbounded = Sphere(DIM), Box(DIM), Unbounded(DIM)
    return {
        "sphere, uniform": (sphere, Uniform(), lambda c, g: _unit(g.standard_normal(c.shape))),
        "sphere, vmf 1": (sphere, VonMisesFisher(1), lambda c, g: von_mises_fisher(c, 1, g)),
        "sphere, vmf 10": (sphere, VonMisesFisher(10), lambda c, g: von_mises_fisher(c, 10, g)),
        "sphere, laplace 0.05": (sphere, Laplace(0.05), lambda c, g: _unit(g.laplace(c, 0.05))),
        "box, laplace 0.05": (box, Laplace(0.05), lambda c, g: _in_box(c, lambda m: g.laplace(m, 0.05))),
        "box, normal 0.05": (box, Normal(0.05), lambda c, g: _in_box(c, lambda m: g.normal(m, 0.05))),
        "box, gennorm 3 0.05": (
            box,
            GeneralizedNormal(3, 0.05),
            lambda c, g: _in_box(c, lambda m: generalized_normal(m, 3, 0.05, g)),
        ),
        "R^N, normal": (unbounded, Normal(1), lambda c, g: g.normal(c, 1)),
    }


def von_mises_fisher(center: NDArray, concentration: float, generator: np.random.Generator) -> NDArray:
    """Wood's rejection sampler of the cosine and a uniform tangent, around every row of `center`."""
    count, dim = center.shape
    b = (dim - 1) / (2 * concentration + np.hypot(2 * concentration, dim - 1))
    x = (1 - b) / (1 + b)
    constant = concentration * x + (dim - 1) * np.log(1 - x * x)
    cosine, pending = np.empty(count), np.arange(count)
    while pending.size:
        beta = generator.beta((dim - 1) / 2, (dim - 1) / 2, pending.size)
        draw = (1 - (1 + b) * beta) / (1 - (1 - b) * beta)
        height = concentration * draw + (dim - 1) * np.log(1 - x * draw) - constant
        accepted = height >= np.log(generator.uniform(size=pending.size))
        cosine[pending[accepted]] = draw[accepted]
        pending = pending[~accepted]
    tangent = generator.standard_normal(center.shape)
    tangent = _unit(tangent - (tangent * center).sum(-1, keepdims=True) * center)
    return cosine[:, None] * center + np.sqrt(1 - cosine**2)[:, None] * tangent


def generalized_normal(center: NDArray, exponent: float, scale: float, generator: np.random.Generator) -> NDArray:
    """scipy's, with density prop. to exp(-|x / scale|^exponent)."""
    from scipy.stats import gennorm

    return gennorm.rvs(exponent, center, scale, size=center.shape, random_state=generator)


def _in_single(reference: Reference, centers: NDArray, generator: np.random.Generator) -> NDArray:
    return reference(centers, generator).astype(np.float32)


def _in_box(center: NDArray, draw: Callable[[NDArray], NDArray]) -> NDArray:
    """Coordinates outside [0, 1] are drawn again."""
    sample = draw(center)
    while (outside := (sample < 0) | (sample > 1)).any():
        sample[outside] = draw(center[outside])
    return sample


def _unit(x: NDArray) -> NDArray:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)
