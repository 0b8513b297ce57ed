"""Exact expectations of losses at a finite number of negatives."""

import math

import numpy as np
import pytest
import torch
from scipy import integrate
from theory_values import BOX, SPHERE, generator

from demix.latents.densities.vmf import VonMisesFisher
from demix.objectives.dot_infonce import dot_infonce
from demix.objectives.lp_infonce import lp_infonce
from demix.theory.box import BoxConditional
from demix.theory.finite import box_losses, sphere_loss
from demix.theory.simulation import Estimate
from demix.theory.sphere import mean_cosine, sphere_first_order, sphere_limit


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sphere_loss(1, 1, 10, 0), "between 1 and 1e\\+06, got 0"),
        (lambda: sphere_loss(1, 500, 10, 16), "reach to concentration 200"),
        (lambda: box_losses(BoxConditional(1, 0.05), 3, [16]), "1 and 2 dimensions, got 3"),
        (lambda: box_losses(BoxConditional(1, 0.05), 1, [16, 10**7]), "between 1 and"),
    ],
)
def test_what_lies_outside_the_domain_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
