"""Linear R2: golden cases, examples worked by hand and the maps that it must not see."""

import numpy as np
import pytest
from made_codes import latents, rotation
from project import GOLDEN

from demix.scores.r2 import linear_r2, linear_r2_of_each


@pytest.mark.parametrize("code", ["mixed", "permuted"])
def test_it_is_that_of_the_authors_code(code):
    golden = np.load(GOLDEN / "scores.npz")
    assert linear_r2(golden["z"], golden[code]) == pytest.approx(float(golden[f"{code}/r2"]), rel=1e-9)


@pytest.mark.parametrize("held_out", [False, True])
def test_it_is_that_of_scikit_learn(held_out):
    from sklearn.linear_model import LinearRegression

    generator = np.random.default_rng(2)
    z, codes = generator.normal(size=(200, 3)), generator.normal(size=(200, 4))
    codes[:, :3] += 2 * z
    fit, test = (slice(0, 100), slice(100, None)) if held_out else (slice(None), slice(None))
    expected = LinearRegression().fit(codes[fit], z[fit]).score(codes[test], z[test])
    assert linear_r2(z, codes, held_out=held_out) == pytest.approx(expected, rel=1e-10)


def test_r2_is_the_plain_average_over_factors():
    code = np.array([[0.0], [1], [2], [3]])
    assert linear_r2([[1], [3], [5], [7]], code) == pytest.approx(1)
    assert linear_r2([[0], [1], [0], [1]], code) == pytest.approx(0.2)
    assert linear_r2([[1, 0], [3, 1], [5, 0], [7, 1]], code) == pytest.approx(0.6)


@pytest.mark.parametrize("held_out", [False, True])
def test_r2_is_one_under_any_affine_map(held_out):
    z = latents()
    codes = z @ np.random.default_rng(1).normal(size=(5, 5)) * 30 - 7
    assert linear_r2(z, codes, held_out=held_out) == pytest.approx(1, abs=1e-10)


def test_held_out_r2_is_lower_than_in_sample_on_few_samples():
    generator = np.random.default_rng(0)
    z, useless = generator.normal(size=(40, 3)), generator.normal(size=(40, 10))
    assert linear_r2(z, useless) > 0.1
    assert linear_r2(z, useless, held_out=True) < 0


def test_held_out_r2_fits_the_first_half_and_scores_the_second():
    z = latents(n=100, k=2)
    codes = z.copy()
    codes[50:] = 0.3
    assert linear_r2(z, codes, held_out=True) < 0.1
    assert linear_r2(np.roll(z, 50, 0), np.roll(codes, 50, 0), held_out=True) < 0.1
    codes = np.where(np.arange(100)[:, None] < 50, z, -z)
    assert linear_r2(z, codes, held_out=True) < 0


def test_it_does_not_see_a_rotation():
    z = latents()
    assert linear_r2(z, z @ rotation()) == pytest.approx(1)


@pytest.mark.parametrize("held_out", [False, True])
def test_shuffled_rows_score_next_to_nothing(held_out):
    z = latents()
    shuffled = np.random.default_rng(1).permutation(z)
    assert linear_r2(z, shuffled, held_out=held_out) < 0.01


def test_a_constant_code_says_nothing():
    z = latents(k=4)
    assert linear_r2(z, np.full_like(z, 0.1)) == pytest.approx(0, abs=1e-12)


def test_it_is_the_mean_of_that_of_each_factor():
    z = latents()
    each = linear_r2_of_each(z, z[:, :4])
    assert each[:4] == pytest.approx(1)
    assert linear_r2(z, z[:, :4]) == each.mean() == pytest.approx(0.8, abs=0.01)


def test_surplus_codes_do_not_matter():
    z = latents()
    noise = np.random.default_rng(2).normal(size=(len(z), 3))
    assert linear_r2(z, np.column_stack([noise, z])) == pytest.approx(1)
