"""Which kind of map training found: known answers."""

import numpy as np
import pytest

from demix.scores import SCORES
from demix.scores.dot_products import dot_product_agreement
from demix.scores.isometry_gap import isometry_gap
from demix.scores.off_permutation import off_permutation

MAPS = (isometry_gap, dot_product_agreement, off_permutation)


def latents(n=4000, k=5, seed=0):
    return np.random.default_rng(seed).uniform(size=(n, k))


def rotation(k=5, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(k, k)))[0]


def test_a_scaled_rotation_is_an_isometry_but_no_permutation():
    z = latents()
    h = 3 * z @ rotation() + 7
    assert isometry_gap(z, h) == pytest.approx(0, abs=1e-9)
    assert dot_product_agreement(z, h) == pytest.approx(1)
    assert off_permutation(z, h) > 0.3


def test_a_scaled_signed_permutation_is_both():
    z = latents()
    h = -2 * z[:, [3, 1, 0, 4, 2]] + 1
    assert isometry_gap(z, h) == pytest.approx(0, abs=1e-9)
    assert dot_product_agreement(z, h) == pytest.approx(1)
    assert off_permutation(z, h) == pytest.approx(0, abs=1e-9)


def test_a_permutation_with_other_scales_is_one_but_no_isometry():
    z = latents()
    h = z[:, ::-1] * np.array([1, 2, 4, 8, -16])
    assert off_permutation(z, h) == pytest.approx(0, abs=1e-9)
    size = np.array([1, 2, 4, 8, 16])
    assert isometry_gap(z, h) == pytest.approx(np.sqrt(((size - size.mean()) ** 2).sum() / (size**2).sum()))
    assert dot_product_agreement(z, h) < 0.8


def test_the_gap_is_the_distance_to_the_nearest_scaled_orthogonal_map():
    """Against a search over the scale, with the orthogonal factor of the polar decomposition."""
    z = latents()
    a = np.random.default_rng(4).normal(size=(5, 5))
    u, _, vt = np.linalg.svd(a)
    best = min(np.linalg.norm(a - s * u @ vt) for s in np.linspace(0, 5, 50_001))
    assert isometry_gap(z, z @ a.T) == pytest.approx(best / np.linalg.norm(a), rel=1e-6)


def test_dot_products_are_compared_as_if_the_matrices_were_formed():
    z = latents(n=60)
    h = np.tanh(4 * z @ rotation()) + 0.1
    zc, hc = z - z.mean(0), h - h.mean(0)
    kz, kh = zc @ zc.T, hc @ hc.T
    expected = (kz * kh).sum() / np.sqrt((kz**2).sum() * (kh**2).sum())
    assert dot_product_agreement(z, h) == pytest.approx(expected)


@pytest.mark.parametrize("score", MAPS)
def test_codes_that_are_no_numbers_or_constant_have_no_score(score):
    z = latents(n=50)
    broken = z.copy()
    broken[3, 2] = np.nan
    assert np.isnan(score(z, broken))
    assert np.isnan(score(z, np.ones_like(z)))


@pytest.mark.parametrize("score", MAPS)
def test_more_codes_than_factors_have_a_score_too(score):
    z = latents()
    assert 0 <= score(z, np.column_stack([z, z[:, 0]])) <= 1


def test_they_are_among_the_scores():
    assert {SCORES[name] for name in ("isometry_gap", "dot_products", "off_permutation")} == set(MAPS)
