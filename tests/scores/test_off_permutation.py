"""Is the map a permutation? Known answers."""

import numpy as np
import pytest
from made_codes import latents, rotation

from demix.scores.off_permutation import off_permutation


def test_a_rotation_is_none():
    z = latents()
    assert off_permutation(z, 3 * z @ rotation() + 7) > 0.3


def test_a_signed_permutation_is_one_whatever_the_scales():
    z = latents()
    assert off_permutation(z, -2 * z[:, [3, 1, 0, 4, 2]] + 1) == pytest.approx(0, abs=1e-9)
    assert off_permutation(z, z[:, ::-1] * np.array([1, 2, 4, 8, -16])) == pytest.approx(0, abs=1e-9)
