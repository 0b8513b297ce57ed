"""How far the published runs are from the limit of infinitely many negatives."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from demix.specs.figures.kinds.theory import TheorySpec
from demix.theory.box import BoxConditional
from demix.theory.finite import sphere_loss
from demix.theory.sphere import sphere_limit


@dataclass(frozen=True)
class Reach:
    """One problem at the size of the published runs.

    Args:
        problem: in words.
        space: "sphere" or "box".
        dim: number of latents.
        negatives: M of the published runs.
        limit: of loss - log M.
        excess: of loss - log M over the limit at M negatives, exact; None in the box, where no exact value is known.
        needed: negatives without which loss - log M cannot be at its limit: where a loss of 0 reaches it.
    """

    problem: str
    space: str
    dim: int
    negatives: int
    limit: float
    excess: float | None
    needed: float


def reaches(plan: TheorySpec) -> Iterator[Reach]:
    """For the plan's conditionals at the number of latents and of negatives of the published runs.

    A loss is at least 0, so loss - log M is at least -log M: with fewer than exp(-limit) negatives it stays above its
    limit whatever the encoder.
    """
    dim, negatives = plan.trained_dim, plan.trained_negatives
    for case in plan.sphere:
        if case.dim == dim:
            kappa, k = case.concentration, case.model_concentration
            limit = sphere_limit(kappa, k, dim)
            excess = sphere_loss(kappa, k, dim, negatives) - math.log(negatives) - limit
            yield Reach(
                f"sphere, vMF(κ={kappa:g}), k = {k:g}", "sphere", dim, negatives, limit, excess, math.exp(-limit)
            )
    for density in plan.box:
        limit = dim * BoxConditional.of(density).cross_entropy()
        yield Reach(f"box, {density.label}", "box", dim, negatives, limit, None, math.exp(-limit))
