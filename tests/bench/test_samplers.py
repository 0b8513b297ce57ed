"""The benchmark of the samplers, and that its references draw from their densities."""

import numpy as np
import pytest
from scipy.stats import kstest, vonmises_fisher

from demix.bench.samplers import generalized_normal, samplers, von_mises_fisher


def test_every_sampler_has_its_rate(bench):
    _, table = bench("samplers")
    assert list(table["density"]) == list(samplers())
    assert (table["ours_per_second"] > 0).all()


def test_the_numpy_samplers_draw_from_their_densities():
    generator = np.random.default_rng(0)
    center = np.eye(1, 10).repeat(20_000, 0)
    cosine = von_mises_fisher(center, 10, generator)[:, 0]
    reference = vonmises_fisher(center[0], 10).rvs(20_000, random_state=generator)[:, 0]
    assert kstest(cosine, reference).pvalue > 1e-3
    draws = generalized_normal(np.zeros((20_000, 1)), 3, 0.05, generator)
    assert draws.std() == pytest.approx(0.0305, rel=0.02)
