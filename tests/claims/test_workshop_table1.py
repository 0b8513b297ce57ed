"""The claims of 2020 workshop, Table 1: numbers that do not fit miss them."""

import pytest
from printed import CLAIMS, changed, printed_numbers

from demix.claims.common.judging import judge


@pytest.mark.parametrize(
    ("claim", "form", "row", "setting", "mean"),
    [
        ("workshop-t1-a", "printed", "sph-uni-vmf1_sph-vmf1", "unsupervised", 99.41),  # 0.41 below supervised
        ("workshop-t1-a", "printed", "sph-gn21-gn2005_sph-vmf1", "unsupervised", 98.99),  # 0.79
        ("workshop-t1-a", "printed", "unb-gn11-gn21_unb-gn2", "supervised", 99.78),  # 2.21
    ],
)
def test_one_number_that_does_not_fit_misses_the_claim(claim, form, row, setting, mean):
    table = changed(printed_numbers("workshop_table1"), row, setting, mean=mean)
    judgement = judge(CLAIMS[claim], table, form)
    assert judgement.state == "not met"
    assert [check.row for check in judgement.checks if not check.holds] == [row]
