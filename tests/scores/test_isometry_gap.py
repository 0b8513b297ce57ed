"""Is the map an isometry? Known answers."""

import numpy as np
import pytest
from made_codes import latents, rotation

from demix.scores.isometry_gap import isometry_gap


def test_it_is_zero_for_a_scaled_rotation_and_for_a_signed_permutation():
    z = latents()
    assert isometry_gap(z, 3 * z @ rotation() + 7) == pytest.approx(0, abs=1e-9)
    assert isometry_gap(z, -2 * z[:, [3, 1, 0, 4, 2]] + 1) == pytest.approx(0, abs=1e-9)


def test_it_sees_that_scales_differ():
    size = np.array([1, 2, 4, 8, 16])
    expected = np.sqrt(((size - size.mean()) ** 2).sum() / (size**2).sum())
    z = latents()
    assert isometry_gap(z, z[:, ::-1] * size) == pytest.approx(expected)


def test_the_gap_is_the_distance_to_the_nearest_scaled_orthogonal_map():
    """Against a search over the scale, with the orthogonal factor of the polar decomposition."""
    z = latents()
    a = np.random.default_rng(4).normal(size=(5, 5))
    u, _, vt = np.linalg.svd(a)
    best = min(np.linalg.norm(a - s * u @ vt) for s in np.linspace(0, 5, 50_001))
    assert isometry_gap(z, z @ a.T) == pytest.approx(best / np.linalg.norm(a), rel=1e-6)
