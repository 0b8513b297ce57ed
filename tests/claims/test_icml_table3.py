"""The claims of ICML 2021, Table 3: numbers that do not fit miss them."""

import pytest
from printed import CLAIMS, changed, printed_numbers

from demix.claims.common.judging import judge


@pytest.mark.parametrize(
    ("claim", "form", "row", "setting", "mean"),
    [
        ("icml-t3-a", "printed", "dt015_lap-unb", "unsupervised", 68.3),  # 68.4 is the best normal model
        ("icml-t3-a", "structural", "dt005_lap-box", "unsupervised", 59.8),
        ("icml-t3-b", "printed", "dt005_lap-box", "unsupervised", 71.0),  # 4.9 above SlowVAE
        ("icml-t3-b", "printed", "dt015_lap-box", "unsupervised", 81.2),  # 1.6 above
    ],
)
def test_one_number_that_does_not_fit_misses_the_claim(claim, form, row, setting, mean):
    table = changed(printed_numbers("icml_table3"), row, setting, mean=mean)
    judgement = judge(CLAIMS[claim], table, form)
    assert judgement.state == "not met"
    assert [check.row for check in judgement.checks if not check.holds] == [row]
