"""Axes of powers of two."""

from demix.figures.common.style import log2_positions


def test_zero_has_a_place_left_of_the_smallest_power():
    assert log2_positions([0, 0.25, 4]) == [-3.5, -2, 2]
