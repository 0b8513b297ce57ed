"""Closed forms on the sphere against independent values."""

import math

import pytest
from theory_values import SPHERE

from demix.theory.finite import sphere_loss
from demix.theory.mass import mass_to_move_sphere
from demix.theory.sphere import (
    log_area,
    log_mean_exp,
    log_normalizer,
    mean_cosine,
    sphere_cross_entropy,
    sphere_first_order,
    sphere_limit,
)


@pytest.mark.parametrize(("dim", "kappa", "k", "area", "normalizer", "cosine", "entropy", "limit"), SPHERE)
def test_closed_forms_of_the_sphere(dim, kappa, k, area, normalizer, cosine, entropy, limit):
    assert log_area(dim) == pytest.approx(area, abs=1e-6)
    assert log_normalizer(k, dim) == pytest.approx(normalizer, abs=1e-6)
    assert mean_cosine(kappa, dim) == pytest.approx(cosine, abs=1e-6)
    assert sphere_cross_entropy(kappa, k, dim) == pytest.approx(entropy, abs=2e-6)
    assert sphere_limit(kappa, k, dim) == pytest.approx(limit, abs=2e-6)


@pytest.mark.parametrize("dim", [2, 3, 10, 1000])
def test_no_concentration_is_uniform(dim):
    assert log_mean_exp(0, dim) == 0
    assert log_normalizer(0, dim) == log_area(dim)
    assert mean_cosine(0, dim) == 0
    assert mass_to_move_sphere(0, dim) == 0
    assert sphere_limit(5, 0, dim) == 0
    assert sphere_loss(0, 1, 10, 100) > sphere_loss(1, 1, 10, 100)


@pytest.mark.parametrize("dim", [2, 3, 10, 1000])
@pytest.mark.parametrize("kappa", [1e-9, 1e-3, 1.0, 30.0, 1e3, 1e5, 1e8])
def test_every_concentration_has_finite_values(dim, kappa):
    assert math.isfinite(log_mean_exp(kappa, dim))
    assert 0 < mean_cosine(kappa, dim) < 1
    assert 0 <= mass_to_move_sphere(kappa, dim) <= 1
    assert math.isfinite(sphere_first_order(min(kappa, 100), min(kappa, 100), dim))


@pytest.mark.parametrize("dim", [2, 3, 10])
def test_the_two_ways_to_compute_the_normalizer_meet(dim):
    """Series below, scaled Bessel functions above: k^2 = 600 dim."""
    edge = math.sqrt(600 * dim)
    for function in (log_mean_exp, mean_cosine):
        below, above = (function(edge * (1 + sign * 1e-9), dim) for sign in (-1, 1))
        assert below == pytest.approx(above, rel=1e-8)


@pytest.mark.parametrize("kappa", [0.3, 5.0, 1e4])
def test_in_three_dimensions_everything_is_elementary(kappa):
    assert log_mean_exp(kappa, 3) == pytest.approx(kappa + math.log(-math.expm1(-2 * kappa) / (2 * kappa)), rel=1e-12)
    assert mean_cosine(kappa, 3) == pytest.approx(1 / math.tanh(kappa) - 1 / kappa, rel=1e-10)


def test_the_cross_entropy_is_smallest_at_the_true_concentration():
    at = sphere_cross_entropy(10, 10, 10)
    assert all(sphere_cross_entropy(10, k, 10) > at for k in (0, 5, 9.9, 10.1, 100))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: log_mean_exp(-1, 3), "at least 0, got -1"),
        (lambda: mean_cosine(math.nan, 3), "at least 0, got nan"),
        (lambda: log_area(1), "at least 2 dimensions, got 1"),
    ],
)
def test_what_lies_outside_the_domain_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
