"""Mappings from names that a user may misspell."""

import pytest

from demix.support.errors import ConfigError
from demix.support.named import Named


def test_things_by_their_name_say_which_there_are():
    things = Named("run", {"one": 1})
    assert things["one"] == 1
    with pytest.raises(ConfigError, match=r"unknown run 'won' \(did you mean 'one'\?\); allowed: one"):
        things["won"]
