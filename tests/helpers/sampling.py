"""What tests of samplers share: problems, generators, and how a sample is held against a law."""

import signal
from contextlib import contextmanager

import numpy as np
import torch
from scipy import stats

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
