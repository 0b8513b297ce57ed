"""Closed forms in the box against independent values."""

import math

import numpy as np
import pytest
from scipy import integrate
from theory_values import BOX

from demix.specs.latents.densities.generalized_normal import GeneralizedNormalSpec
from demix.specs.latents.densities.laplace import LaplaceSpec
from demix.specs.latents.densities.normal import NormalSpec
from demix.theory.box import BoxConditional


@pytest.mark.parametrize(("conditional", "delta", "normalizer", "entropy"), BOX)
def test_closed_forms_of_the_box(conditional, delta, normalizer, entropy):
    assert conditional.alignment() == pytest.approx(delta, abs=1e-6)
    assert conditional.cross_entropy() == pytest.approx(entropy, abs=1e-6)
    assert conditional.cross_entropy() - conditional.alignment() == pytest.approx(normalizer, abs=1e-6)


@pytest.mark.parametrize("conditional", [BoxConditional(1, 0.3), BoxConditional.normal(0.05), BoxConditional(3, 2.0)])
@pytest.mark.parametrize("z", [0.0, 0.02, 0.5])
def test_normalizer_and_mean_delta_are_the_integrals_they_stand_for(conditional, z):
    def kernel(y):
        return math.exp(-((abs(y - z) / conditional.width) ** conditional.exponent))

    def delta(y):
        return (abs(y - z) / conditional.width) ** conditional.exponent

    whole = integrate.quad(kernel, 0, 1, points=[z], limit=200)[0]
    mean = integrate.quad(lambda y: delta(y) * kernel(y), 0, 1, points=[z], limit=200)[0] / whole
    assert conditional.normalizer(z) == pytest.approx(whole, rel=1e-8)
    assert conditional.mean_delta(z) == pytest.approx(mean, rel=1e-8)


@pytest.mark.parametrize("conditional", [case[0] for case in BOX])
def test_quadrature_points_integrate_the_kernel(conditional):
    for z in (0.0, 0.03, 0.5):
        similarity, weights = conditional.partners(z)
        assert weights.sum() == pytest.approx(1)
        assert weights @ np.exp(similarity) == pytest.approx(float(conditional.normalizer(z)), rel=1e-7)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: BoxConditional(0.5, 1), "exponent >= 1"),
        (lambda: BoxConditional(2, 0), "width > 0"),
    ],
)
def test_what_lies_outside_the_domain_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_densities_are_written_as_theory_does():
    assert BoxConditional.of(LaplaceSpec(scale=0.1)) == BoxConditional(1, 0.1)
    assert BoxConditional.of(NormalSpec(std=0.1)) == BoxConditional(2, 0.1 * math.sqrt(2))
    assert BoxConditional.of(GeneralizedNormalSpec(exponent=3, scale=0.1)) == BoxConditional(3, 0.1)
