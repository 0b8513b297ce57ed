"""The claims of 2020 workshop, Table 5: numbers that do not fit miss them."""

import pytest
from printed import CLAIMS, changed, printed_numbers

from demix.claims.common.judging import judge


@pytest.mark.parametrize(
    ("claim", "form", "row", "setting", "mean"),
    [
        ("workshop-t345-a-t5", "printed", "f5_lau-a05-p1", "unsupervised", 68.2),
        ("workshop-t5-a", "printed", "f5_lau-a05-p1", "unsupervised", 79.5),
    ],
)
def test_one_number_that_does_not_fit_misses_the_claim(claim, form, row, setting, mean):
    table = changed(printed_numbers("workshop_table5"), row, setting, mean=mean)
    judgement = judge(CLAIMS[claim], table, form)
    assert judgement.state == "not met"
    assert [check.row for check in judgement.checks if not check.holds] == [row]
