"""Does a number reproduce a printed one? Every verdict, and where it begins."""

import math

import pytest

from demix.tables.verdicts import Number, verdict


@pytest.mark.parametrize(
    ("ours", "printed", "comparable", "expected"),
    [
        (None, Number(99.0, 0.1, 5), True, "missing"),
        (Number(math.nan, math.nan, 5), Number(99.0, 0.1, 5), True, "diverged"),
        (Number(50.0, 0.1, 5), None, True, "not printed"),
        (Number(99.0, 0.1, 5), Number(99.0, 0.1, 5), False, "not comparable"),
        (Number(98.0, 0.0, 5), Number(99.0, 0.0, 5), True, "reproduced"),  # one point is equal
        (Number(97.9, 0.0, 5), Number(99.0, 0.0, 5), True, "off"),
        (Number(60.0, 5.0, 5), Number(66.0, 5.0, 5), True, "reproduced"),  # 2 sqrt(25/5 + 25/5) = 6.32
        (Number(59.6, 5.0, 5), Number(66.0, 5.0, 5), True, "off"),
        (Number(62.0, math.nan, 1), Number(66.0, 2.0, 5), True, "reproduced (one seed)"),  # 2 sqrt(4/5 + 4) = 4.38
        (Number(61.5, None, 1), Number(66.0, 2.0, 5), True, "off (one seed)"),
        (Number(61.5, 1.0, 2), Number(66.0, None, 5), True, "off"),
    ],
)
def test_verdicts(ours, printed, comparable, expected):
    assert verdict(ours, printed, comparable=comparable) == expected


def test_a_point_is_of_100_whatever_the_unit():
    printed = Number(0.99, 0.0, 5)
    assert verdict(Number(0.981, 0.0, 5), printed, comparable=True, point=0.01) == "reproduced"
    assert verdict(Number(0.979, 0.0, 5), printed, comparable=True, point=0.01) == "off"
