"""The claims of ICML 2021, Table 1: numbers that do not fit miss them."""

import pytest
from printed import CLAIMS, changed, printed_numbers

from demix.claims.common.judging import judge


@pytest.mark.parametrize(
    ("claim", "form", "row", "setting", "mean"),
    [
        ("icml-t1-a", "printed", "sph-uni-vmf10_sph-vmf1", "unsupervised", 99.40),  # 0.31 below supervised
        ("icml-t1-a", "printed", "box-uni-lap005_unb-gn3", "unsupervised", 100.09),  # 0.31 above
        ("icml-t1-b", "printed", "sph-norm1-lap005_sph-vmf1", "unsupervised", 99.11),  # 0.59 below supervised
        ("icml-t1-b", "printed", "unb-lap1-norm1_unb-norm", "unsupervised", 98.04),  # 1.61
        ("icml-t1-c", "printed", "box-uni-norm005_unb-norm", "identity", 80.1),
        ("icml-t1-structure", "structural", "unb-norm1-norm1_unb-norm", "unsupervised", 84.9),
        ("icml-t1-structure", "structural", "unb-norm1-norm1_unb-norm", "identity", 83.8),  # gain 14.96
    ],
)
def test_one_number_that_does_not_fit_misses_the_claim(claim, form, row, setting, mean):
    table = changed(printed_numbers("icml_table1"), row, setting, mean=mean)
    judgement = judge(CLAIMS[claim], table, form)
    assert judgement.state == "not met"
    assert [check.row for check in judgement.checks if not check.holds] == [row]


def test_the_identity_must_be_within_three_standard_errors_of_print():
    table = printed_numbers("icml_table1")
    row = "unb-lap1-norm1_unb-norm"  # 62.49 ± 1.65, n = 5: three standard errors of the difference are 3.13
    inside = changed(table, row, "identity", mean=65.5, difference=3.01)
    outside = changed(table, row, "identity", mean=65.7, difference=3.21)
    one_seed = changed(table, row, "identity", mean=67.0, difference=4.51, std=None, n_seeds=1, seeds_planned=1)
    states = [judge(CLAIMS["icml-t1-c"], numbers, "printed").state for numbers in (inside, outside, one_seed)]
    assert states == ["met", "not met", "met"]  # with one seed: 3 * 1.65 * sqrt(1 + 1 / 5) = 5.42
