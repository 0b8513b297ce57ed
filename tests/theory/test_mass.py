"""Mass to move against independent integrals."""

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from demix.theory.mass import mass_to_move_box, mass_to_move_sphere

# log2 of the concentration, mass to move at N = 10
SPHERE_MASS = {-6: 0.0020, -4: 0.0081, -2: 0.0323, 0: 0.1283, 1: 0.2504, 2: 0.4594, 3: 0.7210, 4: 0.9085,
               5: 0.9805, 6: 0.9971}  # fmt: skip
BOX_MASS = {-6: 0.0007, -4: 0.0030, -2: 0.0118, 0: 0.0470, 1: 0.0932, 2: 0.1826, 3: 0.3463, 4: 0.5996, 5: 0.8556,
            6: 0.9746, 7: 0.9973, 8: 0.9998, 10: 1.0}  # fmt: skip


@pytest.mark.parametrize(("power", "mass"), SPHERE_MASS.items())
def test_mass_to_move_on_the_sphere(power, mass):
    assert mass_to_move_sphere(2.0**power, 10) == pytest.approx(mass, abs=1e-4)


@pytest.mark.parametrize(("power", "mass"), BOX_MASS.items())
def test_mass_to_move_in_the_box(power, mass):
    assert mass_to_move_box(2.0 ** (-power / 2), 10) == pytest.approx(mass, abs=1e-4)


def test_mass_to_move_of_concentration_ten():
    assert mass_to_move_sphere(10, 10) == pytest.approx(0.7950, abs=1e-4)


@pytest.mark.parametrize("kappa", [0.1, 3.0, 50.0, 1e4])
def test_on_the_circle_the_mass_is_a_plain_integral(kappa):
    """1/2 int |p - p_uniform| over the angle, with numpy's Bessel function rather than ours."""

    def difference(angle):
        return abs(math.exp(kappa * (math.cos(angle) - 1)) / (2 * math.pi * special.ive(0, kappa)) - 1 / (2 * math.pi))

    crossing = math.acos(1 + math.log(special.ive(0, kappa)) / kappa)
    whole = integrate.quad(difference, 0, math.pi, points=[crossing, min(10 / math.sqrt(kappa), 3)], limit=500)[0]
    assert mass_to_move_sphere(kappa, 2) == pytest.approx(whole, abs=1e-8)


@pytest.mark.parametrize("std", [0.01, 0.1, 0.3, 2.0])
def test_in_one_dimension_the_mass_in_the_box_is_a_plain_integral(std):
    law = stats.truncnorm(-0.5 / std, 0.5 / std, loc=0.5, scale=std)
    z = math.sqrt(-2 * std**2 * math.log(math.sqrt(2 * math.pi) * std * special.erf(0.5 / (std * math.sqrt(2)))))
    exact = law.cdf(0.5 + z) - law.cdf(0.5 - z) - 2 * z
    assert mass_to_move_box(std, 1) == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize("std", [1e-3, 0.05, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("dim", [1, 4, 10, 100])
def test_every_width_has_a_finite_mass(dim, std):
    mass = mass_to_move_box(std, dim)
    assert 0 < mass <= 1 + 1e-12
    assert mass <= mass_to_move_box(std, dim + 1) + 1e-9


def test_the_mass_does_not_depend_on_the_size_of_the_box():
    assert mass_to_move_box(0.6, 5, width=2.0) == pytest.approx(mass_to_move_box(0.3, 5), rel=1e-12)


@pytest.mark.parametrize("dim", [2, 4, 10])
def test_masses_rise_with_the_concentration(dim):
    grid = 2.0 ** np.arange(-20, 20)
    for masses in ([mass_to_move_sphere(x, dim) for x in grid], [mass_to_move_box(x**-0.5, dim) for x in grid]):
        steps = np.diff(masses)
        assert (steps[:25] > 0).all()
        assert (steps > -1e-9).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mass_to_move_sphere(math.inf, 3), "at least 0, got inf"),
        (lambda: mass_to_move_sphere(1, 1), "at least 2 dimensions, got 1"),
        (lambda: mass_to_move_box(0, 3), "std=0"),
        (lambda: mass_to_move_box(math.inf, 3), "std=inf"),
        (lambda: mass_to_move_box(1, 0), "dim=0"),
    ],
)
def test_what_lies_outside_the_domain_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
