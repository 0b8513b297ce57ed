"""The mean correlation coefficient: golden cases, examples worked by hand and the maps that it must not see."""

import itertools

import numpy as np
import pytest
from made_codes import latents, rotation
from project import GOLDEN
from scipy import stats

from demix.scores.mcc import mean_correlation


@pytest.mark.parametrize("code", ["mixed", "permuted"])
@pytest.mark.parametrize("correlation", ["pearson", "spearman"])
def test_it_is_that_of_the_authors_code(code, correlation):
    golden = np.load(GOLDEN / "scores.npz")
    ours = mean_correlation(golden["z"], golden[code], correlation=correlation)
    assert ours == pytest.approx(float(golden[f"{code}/mcc_{correlation}"]), rel=1e-9)


def test_mcc_of_two_factors_worked_by_hand():
    factors = [[1, 1], [2, 3], [3, 2], [4, 4]]
    codes = [[1, -1], [3, -4], [2, -9], [4, -16]]
    assert mean_correlation(factors, codes) == pytest.approx(0.99219, abs=5e-6)
    assert mean_correlation(factors, codes, correlation="spearman") == pytest.approx(1)


def test_mcc_uses_the_best_assignment_rather_than_the_best_code_of_each_factor():
    basis = np.linalg.qr(np.random.default_rng(0).normal(size=(50, 5)) - 0.0)[0]
    basis = np.linalg.qr(np.column_stack([np.ones(50), basis]))[0][:, 1:]  # uncorrelated columns with mean 0
    codes = basis[:, :2]
    # correlations (0.9, 0.4) and (0.8, 0.1): the greedy 0.9 + 0.1 loses to 0.4 + 0.8
    wanted = np.array([[0.9, 0.4], [0.8, 0.1]])
    rest = np.sqrt(1 - (wanted**2).sum(1))
    factors = codes @ wanted.T + basis[:, 2:4] * rest
    assert mean_correlation(factors, codes) == pytest.approx((0.4 + 0.8) / 2)


@pytest.mark.parametrize("correlation", ["pearson", "spearman"])
def test_mcc_is_one_under_signed_permutations_and_scales(correlation):
    z = latents()
    codes = z[:, [3, 0, 4, 1, 2]] * np.array([-2, 0.001, 50, -1, 3]) + 4
    assert mean_correlation(z, codes, correlation=correlation) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("correlation", ["pearson", "spearman"])
def test_mcc_sees_a_rotation(correlation):
    z = latents()
    codes = z @ rotation(5)
    assert mean_correlation(z, codes, correlation=correlation) < 0.85


def test_spearman_is_blind_to_monotone_maps_and_pearson_is_not():
    z = latents()
    codes = np.column_stack([np.exp(5 * z[:, 0]), -(z[:, 1] ** 3), np.tanh(4 * z[:, 2]), z[:, 3], z[:, 4]])
    assert mean_correlation(z, codes, correlation="spearman") == pytest.approx(1, abs=1e-12)
    assert mean_correlation(z, codes) < 0.97


def test_spearman_gives_ties_their_average_rank():
    factors, codes = [[1], [2], [2], [3]], [[1], [2], [3], [4]]
    ranks = np.corrcoef([1, 2.5, 2.5, 4], [1, 2, 3, 4])[0, 1]
    assert mean_correlation(factors, codes, correlation="spearman") == pytest.approx(ranks)


def test_equal_values_share_the_average_of_their_ranks():
    rng = np.random.default_rng(5)
    z = rng.integers(0, 4, size=(200, 3)).astype(float)
    h = z + rng.integers(0, 2, size=z.shape)
    expected = np.abs(stats.spearmanr(z, h).statistic[:3, 3:])
    best = max(expected[range(3), list(order)].mean() for order in itertools.permutations(range(3)))
    assert mean_correlation(z, h, correlation="spearman") == pytest.approx(best, abs=1e-12)


def test_fewer_codes_than_factors_cannot_be_assigned():
    z = latents()
    with pytest.raises(ValueError, match="4 codes cannot be assigned to 5 factors"):
        mean_correlation(z, z[:, :4])


def test_an_unknown_correlation_is_named():
    z = latents(n=20)
    with pytest.raises(ValueError, match="got 'kendall'"):
        mean_correlation(z, z, correlation="kendall")


def test_padding_with_noise_hardly_matters_with_many_samples():
    z = latents(n=10_000, k=3)
    h = np.column_stack([z @ rotation(3), np.random.default_rng(1).normal(size=(10_000, 7))])
    rectangular = mean_correlation(z, h, correlation="spearman")
    padded = mean_correlation(z, h, correlation="spearman", padded=True)
    assert rectangular - 0.003 <= padded <= rectangular
    assert 0.5 < rectangular < 0.99


def test_padding_competes_for_codes_when_there_are_few_samples():
    rng = np.random.default_rng(2)
    lost = []
    for _ in range(50):
        z, h = rng.normal(size=(300, 3)), rng.normal(size=(300, 10))
        rectangular = mean_correlation(z, h, correlation="spearman")
        lost.append(rectangular - mean_correlation(z, h, correlation="spearman", padded=True))
    assert min(lost) >= -1e-12  # rounding
    assert 0 < np.mean(lost) < 0.02


def test_padding_changes_nothing_where_there_is_a_factor_for_every_code():
    z, h = latents(), latents() @ rotation(5)
    assert mean_correlation(z, h, padded=True) == mean_correlation(z, h)


@pytest.mark.parametrize("correlation", ["pearson", "spearman"])
def test_shuffled_rows_score_next_to_nothing(correlation):
    z = latents()
    shuffled = np.random.default_rng(1).permutation(z)
    assert mean_correlation(z, shuffled, correlation=correlation) < 0.06


def test_a_constant_code_counts_as_zero():
    z = latents(k=4)
    codes = z.copy()
    codes[:, 2] = 0.1  # not a binary fraction: its mean is rounded
    assert mean_correlation(z, codes) == pytest.approx(0.75, abs=0.02)
    assert mean_correlation(z, np.full_like(z, 0.1)) == 0


def test_surplus_codes_are_left_over():
    z = latents()
    noise = np.random.default_rng(2).normal(size=(len(z), 3))
    assert mean_correlation(z, np.column_stack([noise, z[:, ::-1]])) == pytest.approx(1)
    assert mean_correlation(z[:, :2], z) == pytest.approx(1)
