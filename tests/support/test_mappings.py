"""Nested mappings laid over one another, and with dotted paths."""

import pytest

from demix.support.mappings import flat, merge


@pytest.mark.parametrize(
    ("base", "patch", "merged"),
    [
        ({"a": 1, "b": 2}, {"b": 3, "c": 4}, {"a": 1, "b": 3, "c": 4}),
        ({"a": {"b": 1}}, {"a": {"c": 2}}, {"a": {"b": 1, "c": 2}}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": {"b": 1}}, {"a": None}, {"a": None}),
        ({"a": None}, {"a": {"b": 1}}, {"a": {"b": 1}}),
        ({"kind": "x", "p": 1}, {"p": 2}, {"kind": "x", "p": 2}),
        ({"kind": "x", "p": 1}, {"kind": "x", "q": 2}, {"kind": "x", "p": 1, "q": 2}),
        ({"kind": "x", "p": 1}, {"kind": "y", "q": 2}, {"kind": "y", "q": 2}),
        ({"p": 1}, {"kind": "y", "q": 2}, {"kind": "y", "q": 2}),
    ],
)
def test_what_is_laid_over_wins_and_comes_last(base, patch, merged):
    result = merge(base, patch)
    assert result == merged
    assert list(result) == list(merged)


def test_nothing_is_changed_in_place():
    base, patch = {"a": {"b": 1}}, {"a": {"c": 2}}
    merge(base, patch)
    assert (base, patch) == ({"a": {"b": 1}}, {"a": {"c": 2}})


def test_dotted_paths():
    assert flat({"a": {"b": 1, "c": {}}, "d": [1]}) == {"a.b": 1, "a.c": {}, "d": [1]}
    assert flat({"b": 1}, "a") == {"a.b": 1}
    assert flat(3, "a") == {"a": 3}
