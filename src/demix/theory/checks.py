"""The theorems checked: simulations beside exact expectations, one row for each comparison."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from demix.specs.figures.kinds.theory import MassCaseSpec, MinimumCaseSpec, SphereCaseSpec, TheorySpec
from demix.specs.latents.densities import DensitySpec
from demix.theory.box import BoxConditional
from demix.theory.finite import box_losses, sphere_loss
from demix.theory.mass import mass_to_move_box, mass_to_move_sphere
from demix.theory.simulation import (
    Estimate,
    SphereSample,
    simulate_box_loss,
    simulate_mass_box,
    simulate_mass_sphere,
)
from demix.theory.sphere import sphere_first_order, sphere_limit

FEWEST_ANCHORS = 200
CURVE = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Model concentrations on the curve of Proposition 1, in multiples of the pairs' concentration."""

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Setting:
    """Where a comparison takes place; what does not apply is None.

    Args:
        space: "sphere" or "box".
        dim: number of latents.
        density: label of the pairs' conditional, or of the marginal for a mass to move.
        concentration: kappa of a von Mises-Fisher density.
        model_concentration: k of the model.
        negatives: M.
    """

    space: str
    dim: int
    density: str
    concentration: float | None = None
    model_concentration: float | None = None
    negatives: int | None = None


@dataclass(frozen=True)
class Check:
    """One comparison.

    Args:
        statement: "theorem 1", "proposition 1", "theorem 3" or "mass to move".
        quantity: what is compared, in words.
        expected: exact, at the finite number of negatives of the simulation.
        estimate: what the simulation gave.
        setting: where.
        limit: for infinitely many negatives.
        first_order: the limit plus the term in 1 / M.
    """

    statement: str
    quantity: str
    expected: float
    estimate: Estimate
    setting: Setting
    limit: float | None = None
    first_order: float | None = None

    @property
    def z(self) -> float:
        """Deviation from the expectation in standard errors."""
        return (self.estimate.value - self.expected) / self.estimate.error

    def row(self) -> dict[str, Any]:
        """As a row of the table."""
        return {
            "statement": self.statement,
            "quantity": self.quantity,
            "expected": self.expected,
            "simulated": self.estimate.value,
            "standard_error": self.estimate.error,
            "z": self.z,
            "limit": self.limit,
            "first_order": self.first_order,
            **vars(self.setting),
        }


def all_checks(plan: TheorySpec) -> Iterator[Check]:
    """Every comparison of a plan. Each has random numbers of its own, so that they are independent."""
    for case in plan.sphere:
        for negatives in plan.negatives:
            yield _sphere_loss(plan, case, negatives, "theorem 1")
    for minimum in plan.minimum:
        yield from _minimum(plan, minimum)
    for density in plan.box:
        for dim in plan.box_dims:
            yield from _box_losses(plan, density, dim)
    for mass in plan.masses:
        yield _mass(plan, mass)


def _sphere_loss(plan: TheorySpec, case: SphereCaseSpec, negatives: int, statement: str) -> Check:
    """Loss - log M on the sphere."""
    kappa, k, dim = case.concentration, case.model_concentration, case.dim
    quantity = f"loss − log M on S{_superscript(dim - 1)}, κ = {kappa:g}, k = {k:g}, M = {negatives:,}"
    anchors = max(plan.draws // negatives, FEWEST_ANCHORS)
    loss = SphereSample(kappa, dim, negatives, anchors, _generator(plan, statement, quantity)).loss(k)
    limit = sphere_limit(kappa, k, dim)
    return Check(
        statement,
        quantity,
        sphere_loss(kappa, k, dim, negatives) - math.log(negatives),
        loss.minus(math.log(negatives)),
        Setting("sphere", dim, f"vMF(κ={kappa:g})", kappa, k, negatives),
        limit,
        limit + sphere_first_order(kappa, k, dim) / negatives,
    )


def _minimum(plan: TheorySpec, case: MinimumCaseSpec) -> Iterator[Check]:
    """The loss over k: points of the curve, its slope at k = kappa, the place of its minimum."""
    kappa, dim, negatives = case.concentration, case.dim, case.negatives
    statement = "proposition 1"
    for multiple in CURVE:
        at = SphereCaseSpec(dim=dim, concentration=kappa, model_concentration=multiple * kappa)
        yield _sphere_loss(plan, at, negatives, statement)

    def slope(k: float) -> float:
        step = 1e-3 * k
        above, below = (sphere_loss(kappa, k + sign * step, dim, negatives) for sign in (1, -1))
        return (above - below) / (2 * step)

    def sample(quantity: str) -> SphereSample:
        anchors = max(plan.draws // negatives, FEWEST_ANCHORS)
        return SphereSample(kappa, dim, negatives, anchors, _generator(plan, statement, quantity))

    where = f"S{_superscript(dim - 1)}, κ = {kappa:g}, M = {negatives:,}"
    setting = Setting("sphere", dim, f"vMF(κ={kappa:g})", kappa, kappa, negatives)
    quantity = f"slope of the loss at k = κ on {where}"
    yield Check(statement, quantity, slope(kappa), sample(quantity).slope(kappa), setting, 0.0)
    quantity = f"k of the smallest loss on {where}"
    low, high = CURVE[0] * kappa, CURVE[-1] * kappa
    yield Check(statement, quantity, brentq(slope, low, high), sample(quantity).minimizer(low, high), setting, kappa)


def _box_losses(plan: TheorySpec, density: DensitySpec, dim: int) -> Iterator[Check]:
    """Loss - log M on the box for the model that matches the conditional."""
    conditional = BoxConditional.of(density)
    limit, slope = dim * conditional.cross_entropy(), conditional.first_order(dim)
    for negatives, loss in zip(plan.negatives, box_losses(conditional, dim, plan.negatives), strict=True):
        quantity = f"loss − log M on [0, 1]{_superscript(dim)}, {density.label}, M = {negatives:,}"
        anchors = max(plan.draws // negatives, FEWEST_ANCHORS)
        generator = _generator(plan, "theorem 3", quantity)
        simulated = simulate_box_loss(conditional, dim, negatives, anchors, generator)
        yield Check(
            "theorem 3",
            quantity,
            loss - math.log(negatives),
            simulated.minus(math.log(negatives)),
            Setting("box", dim, density.label, negatives=negatives),
            limit,
            limit + slope / negatives,
        )


def _mass(plan: TheorySpec, case: MassCaseSpec) -> Check:
    """Mass to move of one marginal."""
    count = plan.draws // case.dim
    if case.concentration is not None:
        setting = Setting("sphere", case.dim, f"vMF(κ={case.concentration:g})", case.concentration)
        quantity = f"mass to move from {setting.density} to uniform on S{_superscript(case.dim - 1)}"
        generator = _generator(plan, "mass to move", quantity)
        simulated = simulate_mass_sphere(case.concentration, case.dim, count, generator)
        return Check("mass to move", quantity, mass_to_move_sphere(case.concentration, case.dim), simulated, setting)
    assert case.std is not None
    setting = Setting("box", case.dim, f"Normal(σ={case.std:g})")
    quantity = f"mass to move from {setting.density} to uniform on [0, 1]{_superscript(case.dim)}"
    generator = _generator(plan, "mass to move", quantity)
    simulated = simulate_mass_box(case.std, case.dim, count, generator)
    return Check("mass to move", quantity, mass_to_move_box(case.std, case.dim), simulated, setting)


def _generator(plan: TheorySpec, *name: str) -> np.random.Generator:
    """A stream of its own for every comparison, whatever others a plan has."""
    return np.random.default_rng([plan.seed, *"/".join(name).encode()])


def _superscript(number: int) -> str:
    return str(number).translate(SUPERSCRIPTS)
