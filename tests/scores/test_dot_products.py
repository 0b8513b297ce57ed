"""Are dot products kept? Known answers."""

import numpy as np
import pytest
from made_codes import latents, rotation

from demix.scores.dot_products import dot_product_agreement


def test_scaled_rotations_and_signed_permutations_keep_them():
    z = latents()
    assert dot_product_agreement(z, 3 * z @ rotation() + 7) == pytest.approx(1)
    assert dot_product_agreement(z, -2 * z[:, [3, 1, 0, 4, 2]] + 1) == pytest.approx(1)


def test_other_scales_do_not_keep_them():
    z = latents()
    assert dot_product_agreement(z, z * np.array([1, 2, 4, 8, 16])) < 0.8


def test_dot_products_are_compared_as_if_the_matrices_were_formed():
    z = latents(n=60)
    h = np.tanh(4 * z @ rotation()) + 0.1
    zc, hc = z - z.mean(0), h - h.mean(0)
    kz, kh = zc @ zc.T, hc @ hc.T
    expected = (kz * kh).sum() / np.sqrt((kz**2).sum() * (kh**2).sum())
    assert dot_product_agreement(z, h) == pytest.approx(expected)
