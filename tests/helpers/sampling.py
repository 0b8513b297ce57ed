"""What tests of samplers share: problems, generators, and how a sample is held against a law."""

import math
import signal
from contextlib import contextmanager

import numpy as np
import torch
from scipy import stats

from demix.latents.spaces.box import Box
from demix.latents.spaces.sphere import Sphere
from demix.specs.base import parse
from demix.specs.families import kinds, member
from demix.specs.problems.synthetic import SyntheticProblemSpec
from demix.support.building import build

DIM = 10
NARROW = {
    "uniform": {"kind": "uniform"},
    "vmf": {"kind": "vmf", "concentration": 10},
    "normal": {"kind": "normal", "std": 0.05},
    "laplace": {"kind": "laplace", "scale": 0.05},
    "generalized_normal": {"kind": "generalized_normal", "exponent": 3, "scale": 0.05},
}
PAIRS = [
    (space, density)
    for space in kinds("latents.spaces")
    for density in kinds("latents.densities")
    if space in member("latents.densities", density).spaces
]
"""Every space with every density that lives on it."""


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def problem(space, marginal, conditional=None, dim=DIM):
    data = {"space": space, "dim": dim, "marginal": marginal, "conditional": conditional}
    spec = parse(SyntheticProblemSpec, data | {"generator": {"candidates": 1}}, "test")
    return build(spec, seed=0)


def pairs(space, marginal, conditional, count, seed=0):
    drawn = problem(space, marginal, conditional)
    source = generator(seed)
    z = drawn.latents(count, source)
    return z, drawn.partners(z, source)


def some_mean(dim):
    """A unit vector that is no axis."""
    mean = torch.linspace(-1, 2, dim, dtype=torch.float64)
    return mean / mean.norm()


def assert_supported(space, sample):
    assert torch.isfinite(sample).all()
    if space == "sphere":
        torch.testing.assert_close(sample.norm(dim=-1), torch.ones(len(sample), dtype=sample.dtype))
    if space == "box":
        assert sample.min() >= 0
        assert sample.max() <= 1


def assert_follows(sample, cdf, least=1e-4):
    assert stats.kstest(np.asarray(sample, dtype=np.float64), cdf).pvalue > least


def assert_follows_unbounded(density, law):
    """Samples on R^dim have independent coordinates of that law around their centre."""
    centre = torch.linspace(-2, 2, 5).repeat(4000, 1)
    sample = density.unbounded(centre, generator(2)).double() - centre
    for column in sample.T:
        assert_follows(column, law.cdf)
    assert np.abs(np.corrcoef(sample.T) - np.eye(5)).max() < 0.08


def assert_follows_in_box(density, law, low, high):
    """Samples in a box have independent coordinates of that law, truncated, wherever the centre lies."""
    centres = low + (high - low) * torch.tensor([0.0, 0.03, 0.5, 0.9, 1.0], dtype=torch.float64)
    sample = Box(5, low, high).draw(density, centres.repeat(4000, 1), generator(2))
    for column, centre in zip(sample.T, centres.tolist(), strict=True):
        below, above = law.cdf(low - centre), law.cdf(high - centre)

        def truncated(x, centre=centre, below=below, above=above):
            return (law.cdf(x - centre) - below) / (above - below)

        assert_follows(column, truncated)
        assert column.min() >= low
        assert column.max() <= high
    assert np.abs(np.corrcoef(sample.T) - np.eye(5)).max() < 0.08


def assert_projects(density, noise, diagonal):
    """Samples on the sphere are those of a simulation: noise from numpy around the mean, divided by the length."""
    mean = some_mean(DIM) if diagonal else Sphere(DIM).middle().double()
    ours = Sphere(DIM).draw(density, mean.expand(20_000, DIM), generator()).numpy()
    drawn = mean.numpy() + noise(np.random.default_rng(11), (20_000, DIM))
    theirs = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    for statistic in [lambda z: z @ mean.numpy(), lambda z: z[:, 0], lambda z: z[:, 1], lambda z: np.abs(z).max(1)]:
        assert stats.ks_2samp(statistic(ours), statistic(theirs)).pvalue > 1e-4


def assert_has_std(density, std):
    sample = density.unbounded(torch.zeros(20_000, DIM), generator())
    assert math.isclose(sample.std().item(), std, rel_tol=0.01)
    assert abs(sample.mean().item()) <= 0.01 * std


def assert_narrow_in_box(density, dtype):
    """A very narrow density stays finite, in the box and as wide as on R^dim."""
    centre = torch.tensor([0.0, 1e-4, 0.5, 1.0], dtype=dtype).repeat(2000, 1)
    sample = density.in_box(centre, 0.0, 1.0, generator())
    assert_supported("box", sample)
    assert (sample - centre).abs().max() < 0.02
    free = density.unbounded(centre, generator())[:, 2]
    assert math.isclose(sample[:, 2].std().item(), free.std().item(), rel_tol=0.1)


def assert_fills_box(density, dtype):
    """A very wide density is even in the box."""
    centre = torch.tensor([0.0, 0.5, 1.0], dtype=dtype).repeat(2000, 1)
    sample = density.in_box(centre, 0.0, 1.0, generator())
    assert_supported("box", sample)
    for column in sample.T:
        assert_follows(column, stats.uniform.cdf)


@contextmanager
def must_end(seconds=3):
    """Ends a sampler that accepts nothing for ever."""

    def give_up(number, frame):
        raise TimeoutError("the sampler does not end")

    previous = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
