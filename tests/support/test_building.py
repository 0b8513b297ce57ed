"""From specs to objects: which arguments an implementation gets."""

import sys
from types import ModuleType
from typing import Annotated, ClassVar

import pytest

from demix.specs.base import Component, Neutral
from demix.support.building import build


class WidthSpec(Component):
    implementation: ClassVar[str] = "some_code:made"
    width: int
    steepness: Annotated[float, Neutral(1.0)] = 1.0


@pytest.fixture
def code(monkeypatch):
    """A module that can be given its function `made`."""
    module = ModuleType("some_code")
    monkeypatch.setitem(sys.modules, "some_code", module)
    return module


def test_an_implementation_gets_fields_and_what_it_takes_of_the_context(code):
    code.made = lambda *, width, dim: (width, dim)
    assert build(WidthSpec(width=3), dim=5, seed=7) == (3, 5)


def test_one_with_open_arguments_gets_all_of_the_context(code):
    code.made = lambda **given: given
    assert build(WidthSpec(width=3), dim=5, seed=7) == {"width": 3, "dim": 5, "seed": 7}


def test_a_neutral_value_is_left_to_the_implementation(code):
    code.made = lambda *, width, steepness="its own": steepness
    assert build(WidthSpec(width=3)) == "its own"
    assert build(WidthSpec(width=3, steepness=2.0)) == 2.0


def test_a_field_that_the_implementation_does_not_take_is_an_error(code):
    code.made = lambda *, dim: dim
    with pytest.raises(TypeError, match="width"):
        build(WidthSpec(width=3), dim=5)
