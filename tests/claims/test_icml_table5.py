"""The claims of ICML 2021, Table 5: numbers that do not fit miss them."""

import pytest
from printed import CLAIMS, changed, printed_numbers

from demix.claims.common.judging import judge


@pytest.mark.parametrize(
    ("claim", "form", "row", "setting", "metric", "mean"),
    [
        ("icml-t5-a", "printed", "3di-norm_sph-vmf", "unsupervised", "mcc", 42.43),  # 42.44 on test images
        ("icml-t5-a", "structural", "3di-sup_unb", "test", "r2", 99.99),  # 99.98 on training images
    ],
)
def test_one_number_that_does_not_fit_misses_the_claim(claim, form, row, setting, metric, mean):
    table = printed_numbers("icml_table5")
    judgement = judge(CLAIMS[claim], changed(table, row, setting, metric, mean=mean), form)
    assert judgement.state == "not met"
    assert row in {check.row for check in judgement.checks if not check.holds}
