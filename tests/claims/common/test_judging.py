"""Checks and judgements."""

import math

from demix.claims.common.judging import Check, at_least, at_most


def test_bounds_are_met_by_equality_and_missed_by_no_number():
    assert at_least("x", {"a": 15.0, "b": 20.0}, 15.0) == [Check("x", 15.0, "≥", 15.0, "a")]
    assert at_least("x", {"a": 15.0}, 15.0)[0].holds
    assert at_most("x", {"a": 0.1 + 0.2}, 0.3)[0].holds
    assert not at_most("x", {"a": 0.4}, 0.3)[0].holds
    assert not at_most("x", {"a": 0.1, "b": math.nan}, 0.3)[0].holds
    assert at_most("x", {}, 0.3) == []
