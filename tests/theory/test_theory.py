"""The theorems as numbers: closed forms against independent values, exact expectations, simulations."""

import math

import numpy as np
import pandas as pd
import pytest
import torch
from project import CONFIG
from scipy import integrate, special, stats

from demix.experiment.experiment import load_experiment
from demix.latents.densities.vmf import VonMisesFisher
from demix.objectives.dot_infonce import dot_infonce
from demix.objectives.lp_infonce import lp_infonce
from demix.specs.figures import Theory
from demix.theory.box import BoxConditional
from demix.theory.checks import all_checks
from demix.theory.finite import box_losses, sphere_loss
from demix.theory.mass import mass_to_move_box, mass_to_move_sphere
from demix.theory.reach import reaches
from demix.theory.simulation import Estimate, SphereSample, simulate_mass_box, simulate_mass_sphere
from demix.theory.sphere import (
    log_area,
    log_mean_exp,
    log_normalizer,
    mean_cosine,
    sphere_cross_entropy,
    sphere_first_order,
    sphere_limit,
)

# N, kappa, k, log|S|, log C(k), A(kappa), cross-entropy, limit of loss - log M
SPHERE = [
    (2, 1, 1, 1.837877, 2.073791, 0.446390, 1.627401, -0.210476),
    (3, 1, 1, 2.531024, 2.692464, 0.313035, 2.379428, -0.151596),
    (3, 10, 10, 2.531024, 9.535292, 0.900000, 0.535292, -1.995732),
    (10, 1, 1, 3.238743, 3.288536, 0.099178, 3.189358, -0.049385),
    (10, 10, 1, 3.238743, 3.288536, 0.633668, 2.654868, -0.583875),
    (10, 10, 10, 3.238743, 7.090957, 0.633668, 0.754273, -2.484470),
]
# E[delta] / tau, E[log C(z)], cross-entropy of a coordinate
BOX = [
    (BoxConditional(1, 0.05), 0.941776, -2.360809, -1.419033),
    (BoxConditional.normal(0.05), 0.476123, -2.124547, -1.648424),
    (BoxConditional(3, 0.05), 0.323146, -2.446338, -2.123192),
]
# log2 of the concentration, mass to move at N = 10
SPHERE_MASS = {-6: 0.0020, -4: 0.0081, -2: 0.0323, 0: 0.1283, 1: 0.2504, 2: 0.4594, 3: 0.7210, 4: 0.9085,
               5: 0.9805, 6: 0.9971}  # fmt: skip
BOX_MASS = {-6: 0.0007, -4: 0.0030, -2: 0.0118, 0: 0.0470, 1: 0.0932, 2: 0.1826, 3: 0.3463, 4: 0.5996, 5: 0.8556,
            6: 0.9746, 7: 0.9973, 8: 0.9998, 10: 1.0}  # fmt: skip


def generator(seed=0):
    return np.random.default_rng(seed)


# The sphere


@pytest.mark.parametrize(("dim", "kappa", "k", "area", "normalizer", "cosine", "entropy", "limit"), SPHERE)
def test_closed_forms_of_the_sphere(dim, kappa, k, area, normalizer, cosine, entropy, limit):
    assert log_area(dim) == pytest.approx(area, abs=1e-6)
    assert log_normalizer(k, dim) == pytest.approx(normalizer, abs=1e-6)
    assert mean_cosine(kappa, dim) == pytest.approx(cosine, abs=1e-6)
    assert sphere_cross_entropy(kappa, k, dim) == pytest.approx(entropy, abs=2e-6)
    assert sphere_limit(kappa, k, dim) == pytest.approx(limit, abs=2e-6)


@pytest.mark.parametrize("dim", [2, 3, 10, 1000])
def test_no_concentration_is_uniform(dim):
    assert log_mean_exp(0, dim) == 0
    assert log_normalizer(0, dim) == log_area(dim)
    assert mean_cosine(0, dim) == 0
    assert mass_to_move_sphere(0, dim) == 0
    assert sphere_limit(5, 0, dim) == 0
    assert sphere_loss(0, 1, 10, 100) > sphere_loss(1, 1, 10, 100)


@pytest.mark.parametrize("dim", [2, 3, 10, 1000])
@pytest.mark.parametrize("kappa", [1e-9, 1e-3, 1.0, 30.0, 1e3, 1e5, 1e8])
def test_every_concentration_has_finite_values(dim, kappa):
    assert math.isfinite(log_mean_exp(kappa, dim))
    assert 0 < mean_cosine(kappa, dim) < 1
    assert 0 <= mass_to_move_sphere(kappa, dim) <= 1
    assert math.isfinite(sphere_first_order(min(kappa, 100), min(kappa, 100), dim))


@pytest.mark.parametrize("dim", [2, 3, 10])
def test_the_two_ways_to_compute_the_normalizer_meet(dim):
    """Series below, scaled Bessel functions above: k^2 = 600 dim."""
    edge = math.sqrt(600 * dim)
    for function in (log_mean_exp, mean_cosine):
        below, above = (function(edge * (1 + sign * 1e-9), dim) for sign in (-1, 1))
        assert below == pytest.approx(above, rel=1e-8)


@pytest.mark.parametrize("kappa", [0.3, 5.0, 1e4])
def test_in_three_dimensions_everything_is_elementary(kappa):
    assert log_mean_exp(kappa, 3) == pytest.approx(kappa + math.log(-math.expm1(-2 * kappa) / (2 * kappa)), rel=1e-12)
    assert mean_cosine(kappa, 3) == pytest.approx(1 / math.tanh(kappa) - 1 / kappa, rel=1e-10)


def test_the_cross_entropy_is_smallest_at_the_true_concentration():
    at = sphere_cross_entropy(10, 10, 10)
    assert all(sphere_cross_entropy(10, k, 10) > at for k in (0, 5, 9.9, 10.1, 100))


# The box


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


# Mass to move


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


@pytest.mark.parametrize(("dim", "kappa", "std"), [(2, 3.0, 0.2), (4, 20.0, 0.1), (7, 0.5, 1.5)])
def test_masses_agree_with_simulations(dim, kappa, std):
    pairs = [(mass_to_move_sphere(kappa, dim), simulate_mass_sphere(kappa, dim, 200_000, generator()))]
    pairs += [(mass_to_move_box(std, dim), simulate_mass_box(std, dim, 200_000, generator(1)))]
    for exact, estimate in pairs:
        assert abs(estimate.value - exact) < 4 * estimate.error


# Outside the domain


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: log_mean_exp(-1, 3), "at least 0, got -1"),
        (lambda: mean_cosine(math.nan, 3), "at least 0, got nan"),
        (lambda: mass_to_move_sphere(math.inf, 3), "at least 0, got inf"),
        (lambda: mass_to_move_sphere(1, 1), "at least 2 dimensions, got 1"),
        (lambda: log_area(1), "at least 2 dimensions, got 1"),
        (lambda: mass_to_move_box(0, 3), "std=0"),
        (lambda: mass_to_move_box(math.inf, 3), "std=inf"),
        (lambda: mass_to_move_box(1, 0), "dim=0"),
        (lambda: BoxConditional(0.5, 1), "exponent >= 1"),
        (lambda: BoxConditional(2, 0), "width > 0"),
        (lambda: sphere_loss(1, 1, 10, 0), "between 1 and 1e\\+06, got 0"),
        (lambda: sphere_loss(1, 500, 10, 16), "reach to concentration 200"),
        (lambda: box_losses(BoxConditional(1, 0.05), 3, [16]), "1 and 2 dimensions, got 3"),
        (lambda: box_losses(BoxConditional(1, 0.05), 1, [16, 10**7]), "between 1 and"),
    ],
)
def test_what_lies_outside_the_domain_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# Expectations at a finite number of negatives


@pytest.mark.parametrize(
    ("case", "negatives", "simulated"),
    [
        ((1, 1, 10), 16, 0.014), ((1, 1, 10), 64, -0.0336), ((1, 1, 10), 1024, -0.0490),
        ((10, 10, 10), 64, -2.262), ((10, 10, 10), 1024, -2.460), ((10, 10, 10), 4096, -2.478),
    ],
)  # fmt: skip
def test_exact_losses_lie_where_simulations_were_seen(case, negatives, simulated):
    assert sphere_loss(*case, negatives) - math.log(negatives) == pytest.approx(simulated, abs=0.011)


@pytest.mark.parametrize(("dim", "kappa", "k"), [case[:3] for case in SPHERE])
def test_losses_tend_to_the_limit_as_the_first_order_says(dim, kappa, k):
    limit, slope = sphere_limit(kappa, k, dim), sphere_first_order(kappa, k, dim)
    excess = [sphere_loss(kappa, k, dim, m) - math.log(m) - limit for m in (10**4, 10**6)]
    assert excess[0] == pytest.approx(slope / 1e4, rel=0.05)
    assert excess[1] == pytest.approx(slope / 1e6, rel=1e-3)


@pytest.mark.parametrize(("conditional", "entropy"), [(case[0], case[3]) for case in BOX])
@pytest.mark.parametrize("dim", [1, 2])
def test_box_losses_tend_to_the_limit_as_the_first_order_says(conditional, entropy, dim):
    (loss,) = box_losses(conditional, dim, [10**5])
    excess = loss - math.log(10**5) - dim * entropy
    assert excess == pytest.approx(conditional.first_order(dim) / 1e5, rel=0.02, abs=2e-6)


def test_one_negative_on_the_sphere_is_a_double_integral():
    """E log(e^s+ + e^s) over two independent cosines, N = 3, where both have elementary densities."""
    k = 2.0

    def integrand(s, t):
        return math.log(math.exp(k * s) + math.exp(k * t)) * k * math.exp(k * t) / (2 * math.sinh(k)) / 2

    exact = integrate.dblquad(integrand, -1, 1, -1, 1)[0] - k * mean_cosine(k, 3)
    assert sphere_loss(k, k, 3, 1) == pytest.approx(exact, abs=1e-9)


def test_the_training_loss_of_a_perfect_model_is_the_one_with_the_self_negative():
    """Targets of ICML Table 1, rows 1 and 2, and the very loss that trains, on true latents."""
    assert sphere_loss(1, 1, 10, 6143, self_negative=True) == pytest.approx(8.674, abs=1e-3)
    assert sphere_loss(10, 1, 10, 6143, self_negative=True) == pytest.approx(8.139, abs=2e-3)
    source = torch.Generator().manual_seed(0)
    losses = []
    for _ in range(200):
        z = torch.nn.functional.normalize(torch.empty(256, 5, dtype=torch.float64).normal_(generator=source), dim=-1)
        losses.append(float(dot_infonce(z, VonMisesFisher(5.0).on_sphere(z, source)).mean()))
    estimate = Estimate.of(np.array(losses))
    assert abs(estimate.value - sphere_loss(5, 1, 5, 255, self_negative=True)) < 4 * estimate.error


def test_the_lp_loss_without_its_self_negative_has_the_exact_expectation():
    conditional = BoxConditional(3, 0.05)
    rng = generator(3)
    z = rng.uniform(size=(200, 128, 1))
    step = rng.uniform(size=z.shape) * 0.4 - 0.2
    weight = np.exp(-((np.abs(step) / 0.05) ** 3)) * ((z + step > 0) & (z + step < 1))
    keep = rng.uniform(size=z.shape) < weight
    while not keep.all():  # rejection, unlike the library
        step = np.where(keep, step, rng.uniform(size=z.shape) * 0.4 - 0.2)
        weight = np.exp(-((np.abs(step) / 0.05) ** 3)) * ((z + step > 0) & (z + step < 1))
        keep = keep | (rng.uniform(size=z.shape) < weight)
    losses = [
        float(lp_infonce(torch.tensor(20 * a), torch.tensor(20 * b), exponent=3.0, self_negative=False).mean())
        for a, b in zip(z, z + step, strict=True)
    ]
    estimate = Estimate.of(np.array(losses))
    assert abs(estimate.value - box_losses(conditional, 1, [127])[0]) < 4 * estimate.error


def test_the_model_concentration_of_the_smallest_loss_is_found_by_simulation():
    best = SphereSample(4.0, 5, 64, 4000, generator()).minimizer(1.0, 16.0)
    assert abs(best.value - 4.0) < 4 * best.error
    assert best.error < 0.2


# The table


def small_plan(**changes):
    plan = {
        "title": "small", "draws": 20_000, "negatives": (16, 64), "minimum": ({"dim": 3, "concentration": 4},),
        "sphere": ({"dim": 3, "concentration": 1, "model_concentration": 2},),
        "box": ({"kind": "normal", "std": 0.1},), "box_dims": (1,), "masses": ({"std": 0.2}, {"concentration": 2}),
    }  # fmt: skip
    return Theory.model_validate(plan | changes)


def test_one_fixed_seed_of_the_configured_checks_agrees_with_theory():
    (plan,) = (f for f in load_experiment(CONFIG).figures.values() if f.kind == "theory")
    table = pd.DataFrame([check.row() for check in all_checks(plan)])
    assert len(table) > 80
    assert (table["standard_error"] > 0).all()
    assert table["z"].abs().max() < 4
    low, high = stats.chi2(len(table)).ppf([0.0005, 0.9995])
    assert low < (table["z"] ** 2).sum() < high
    assert set(table["statement"]) == {"theorem 1", "proposition 1", "theorem 3", "mass to move"}


def test_a_wrong_expectation_would_be_noticed():
    """The spread of z is that of the simulation: a shift of four standard errors moves z by four."""
    check = next(all_checks(small_plan()))
    shifted = Estimate(check.estimate.value + 4 * check.estimate.error, check.estimate.error)
    moved = type(check)(check.statement, check.quantity, check.expected, shifted, check.setting)
    assert moved.z == pytest.approx(check.z + 4)


def test_checks_are_the_same_for_a_seed_and_others_for_another():
    first, again, other = ([c.estimate.value for c in all_checks(small_plan(seed=s))] for s in (1, 1, 2))
    assert first == again
    assert not set(first) & set(other)


def test_a_further_check_leaves_the_others_as_they_are():
    before = {c.quantity: c.estimate.value for c in all_checks(small_plan())}
    after = {c.quantity: c.estimate.value for c in all_checks(small_plan(negatives=(16, 32, 64)))}
    assert before.items() < after.items()


def test_box_rows_of_the_published_size_are_far_from_their_limit_and_sphere_rows_at_it():
    (plan,) = (f for f in load_experiment(CONFIG).figures.values() if f.kind == "theory")
    of = {reach.problem: reach for reach in reaches(plan)}
    assert of["sphere, vMF(κ=1), k = 1"].excess < 1e-3
    assert 1e6 < of["box, Laplace(λ=0.05)"].needed < 1e7
    assert 1e9 < of["box, GenNorm(β=3; λ=0.05)"].needed < 1e10
    assert all(reach.needed > reach.negatives for reach in of.values() if reach.space == "box")
