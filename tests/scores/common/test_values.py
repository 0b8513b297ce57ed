"""The value of a score that a spec describes."""

from typing import ClassVar

import numpy as np
import pytest
from made_codes import latents, score_spec

from demix.scores.common import values
from demix.scores.common.values import value_of
from demix.specs.scores import ScoreSpec
from demix.support.errors import ConfigError


class CoinSpec(ScoreSpec):
    """Looks at nothing but its randomness."""

    needs: ClassVar[tuple[str, ...]] = ("labels",)
    bias: float = 0.0


class Coin:
    def __init__(self, bias):
        self.bias = bias

    def value(self, codes, known, generator):
        return generator.uniform() + self.bias


def test_what_a_score_needs_and_is_not_known_is_named():
    with pytest.raises(ConfigError, match="score mcc needs factors, but only labels, groups is known"):
        value_of(score_spec("mcc"), latents(), {"labels": np.zeros(2000), "groups": np.zeros(2000)})
    with pytest.raises(ConfigError, match="score r2 needs factors, but nothing is known"):
        value_of(score_spec("r2"), latents(), {})


def test_what_cannot_be_scored_is_said_with_the_name_of_the_score():
    with pytest.raises(ConfigError, match=r"score mcc\(padded=true\): 2 codes cannot be assigned to 5 factors"):
        value_of(score_spec("mcc", padded=True), latents(k=2), {"factors": latents()})


def test_randomness_is_of_the_score_and_the_seed(monkeypatch):
    monkeypatch.setattr(values, "build", lambda spec: Coin(spec.bias))
    codes, known = latents(), {"labels": np.zeros(2000)}
    first = value_of(CoinSpec(), codes, known, seed=1)
    assert first == value_of(CoinSpec(), codes, known, seed=1)
    assert first != value_of(CoinSpec(), codes, known, seed=2)
    assert first != value_of(CoinSpec(bias=1.0), codes, known, seed=1) - 1
