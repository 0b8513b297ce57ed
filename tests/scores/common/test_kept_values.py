"""Values that are kept: each is computed once for the same codes, score and code."""

import numpy as np
import pytest
from made_codes import latents, score_spec

from demix.scores.common import kept_values
from demix.scores.common.kept_values import kept_value, value_key
from demix.support.codes import CodedSet
from demix.support.errors import ConfigError


@pytest.fixture
def computed(monkeypatch):
    """Names of the scores that are computed, in order; a value says how many there were."""
    names = []

    def value_of(spec, *rest):
        names.append(spec.name)
        return len(names) + 0.1

    monkeypatch.setattr(kept_values, "value_of", value_of)
    return names


def coded(seed=0, **known):
    return CodedSet(latents(seed, n=20), {"factors": latents(n=20), **known})


def test_a_value_is_computed_once_and_comes_back_to_the_bit(tmp_path, computed):
    first = kept_value(score_spec("r2"), coded(), 0, tmp_path)
    assert kept_value(score_spec("r2"), coded(), 0, tmp_path) == first == 1.1
    assert computed == ["r2"]


def test_without_a_folder_nothing_is_kept(computed):
    kept_value(score_spec("r2"), coded(), 0, None)
    kept_value(score_spec("r2"), coded(), 0, None)
    assert computed == ["r2", "r2"]


def test_adding_a_score_computes_that_one(tmp_path, computed):
    for spec in (score_spec("r2"), score_spec("r2"), score_spec("mcc"), score_spec("mcc", correlation="spearman")):
        kept_value(spec, coded(), 0, tmp_path)
    assert computed == ["r2", "mcc", "mcc(correlation=spearman)"]


def test_other_codes_factors_seeds_and_code_count_and_what_is_not_needed_does_not(monkeypatch):
    spec = score_spec("r2")
    key = value_key(spec, coded(), 0)
    assert value_key(spec, coded(labels=np.zeros(20)), 0) == key
    assert value_key(spec, coded(seed=1), 0) != key
    assert value_key(spec, coded(), 1) != key
    assert value_key(spec, CodedSet(latents(n=20), {"factors": latents(1, n=20)}), 0) != key
    assert value_key(spec, CodedSet(latents(n=20).astype("f4"), {"factors": latents(n=20)}), 0) != key
    monkeypatch.setattr(kept_values, "result_key", lambda spec, *modules: "other code")
    assert value_key(spec, coded(), 0) != key


def test_a_damaged_value_is_computed_anew(tmp_path, computed):
    kept_value(score_spec("r2"), coded(), 0, tmp_path)
    (file,) = tmp_path.iterdir()
    for text in ("{", "{}", '{"value": null}'):
        file.write_text(text)
        kept_value(score_spec("r2"), coded(), 0, tmp_path)
    assert len(computed) == 4


def test_a_score_of_codes_that_are_no_numbers_is_kept_too(tmp_path):
    broken = CodedSet(np.full((20, 2), np.nan), {"factors": latents(n=20, k=2)})
    assert all(np.isnan(kept_value(score_spec("r2"), broken, 0, tmp_path)) for _ in range(2))


def test_a_score_that_came_with_the_codes_is_taken_as_it_is(tmp_path, computed):
    given = CodedSet(None, {}, {"r2(held_out=true)": 0.25})
    assert kept_value(score_spec("r2", held_out=True), given, 0, tmp_path) == 0.25
    with pytest.raises(ConfigError, match=r"score mcc cannot be computed without codes; given are r2\(held_out=true\)"):
        kept_value(score_spec("mcc"), given, 0, tmp_path)
    assert computed == []
