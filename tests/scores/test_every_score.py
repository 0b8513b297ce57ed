"""What holds for each member of the family of scores."""

import numpy as np
import pytest
from made_codes import latents, rotation, score_spec

from demix.scores.common.values import value_of
from demix.specs.families import kinds
from demix.specs.scores import PERCENT
from demix.support.errors import ConfigError

VARIANTS = [
    *(score_spec(kind) for kind in kinds("scores")),
    score_spec("r2", held_out=True),
    score_spec("mcc", correlation="spearman"),
    score_spec("mcc", correlation="spearman", padded=True),
]
OF_FACTORS = [spec for spec in VARIANTS if spec.needs == ("factors",)]
EACH_SCORE = pytest.mark.parametrize("spec", OF_FACTORS, ids=lambda spec: spec.name)
"""Every kind with its defaults, and the variants that tables show."""


def value(spec, z, h):
    return value_of(spec, h, {"factors": z})


def test_names_tell_them_apart_and_each_has_a_head():
    assert len({spec.name for spec in VARIANTS}) == len(VARIANTS)
    assert all(spec.head for spec in VARIANTS)
    assert score_spec("mcc", correlation="spearman", padded=True).name == "mcc(correlation=spearman, padded=true)"


@EACH_SCORE
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_codes_that_are_not_finite_have_no_score(spec, bad):
    z = latents(n=100)
    codes = z.copy()
    codes[17, 2] = bad
    assert np.isnan(value(spec, z, codes))


@pytest.mark.parametrize("kind", ["isometry_gap", "dot_products", "off_permutation"])
def test_constant_codes_are_no_map(kind):
    z = latents(n=50)
    assert np.isnan(value(score_spec(kind), z, np.ones_like(z)))


@EACH_SCORE
def test_arrays_that_do_not_fit_are_refused_by_shape(spec):
    z = latents(n=100)
    for factors, codes in [(z, z[:50]), (z[:, 0], z), (z, z[None])]:
        with pytest.raises(ConfigError, match=r"need \(samples, factors\) and \(samples, codes\), got \("):
            value(spec, factors, codes)


@pytest.mark.usefixtures("untouched_global_randomness")
@EACH_SCORE
def test_scores_are_plain_floats_the_same_every_time_and_leave_their_input_alone(spec):
    z = latents(n=200).astype(np.float32)
    codes = np.column_stack([z @ rotation(), z[:, 0] ** 2]).astype(np.float32)
    copies = z.copy(), codes.copy()
    first = value(spec, z, codes)
    assert type(first) is float
    assert first == value(spec, z, codes)
    assert spec.unit != PERCENT or 0 <= first <= 1
    assert np.array_equal(z, copies[0])
    assert np.array_equal(codes, copies[1])
