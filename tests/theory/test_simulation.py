"""Simulations against exact values."""

import pytest
from theory_values import generator

from demix.theory.mass import mass_to_move_box, mass_to_move_sphere
from demix.theory.simulation import SphereSample, simulate_mass_box, simulate_mass_sphere


@pytest.mark.parametrize(("dim", "kappa", "std"), [(2, 3.0, 0.2), (4, 20.0, 0.1), (7, 0.5, 1.5)])
def test_masses_agree_with_simulations(dim, kappa, std):
    pairs = [(mass_to_move_sphere(kappa, dim), simulate_mass_sphere(kappa, dim, 200_000, generator()))]
    pairs += [(mass_to_move_box(std, dim), simulate_mass_box(std, dim, 200_000, generator(1)))]
    for exact, estimate in pairs:
        assert abs(estimate.value - exact) < 4 * estimate.error


def test_the_model_concentration_of_the_smallest_loss_is_found_by_simulation():
    best = SphereSample(4.0, 5, 64, 4000, generator()).minimizer(1.0, 16.0)
    assert abs(best.value - 4.0) < 4 * best.error
    assert best.error < 0.2
