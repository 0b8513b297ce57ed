"""What tests of the losses share: batches, every similarity and convention, pairs of true latents."""

from itertools import product

import pytest
import torch
from torch import nn

from demix.objectives.dot_infonce import dot_infonce
from demix.objectives.kernels.distances import MinusLp, MinusSquaredEuclidean
from demix.objectives.kernels.elementwise import eager_kernels
from demix.objectives.lp_infonce import lp_infonce
from demix.specs.problems.synthetic import SyntheticProblemSpec
from demix.support.building import build

CONVENTIONS = [
    {"self_negative": own, "negatives_meet": meet} for own, meet in product([True, False], ["anchor", "positive"])
]


SIMILARITIES = [None, *({"exponent": p, "power": power} for p, power in product([1, 2, 3, 1.5], [True, False]))]
"""Keyword arguments of `lp_infonce`; None for the dot product."""


every_similarity = pytest.mark.parametrize("similarity", SIMILARITIES, ids=str)


every_convention = pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda c: "-".join(map(str, c.values())))


def batch(seed=0, n=6, dim=3, scale=1.0, dtype=torch.float64):
    """Anchors and positives with a generator of their own."""
    generator = torch.Generator().manual_seed(seed)
    return tuple(scale * torch.randn(n, dim, dtype=dtype, generator=generator) for _ in range(2))


def infonce(similarity, anchor, positive, **convention):
    if similarity is None:
        return dot_infonce(anchor, positive, **convention)
    return lp_infonce(anchor, positive, **similarity, **convention)


def value_and_gradients(similarity, anchor, positive, **convention):
    """Loss of every pair and the gradients of an uneven combination of them."""
    anchor, positive = anchor.detach().requires_grad_(), positive.detach().requires_grad_()
    loss = infonce(similarity, anchor, positive, **convention)
    weights = torch.linspace(0.5, 2, len(loss), dtype=loss.dtype)
    return loss.detach(), *torch.autograd.grad(loss @ weights, [anchor, positive])


def minus_lp(exponent):
    return MinusSquaredEuclidean() if exponent == 2 else MinusLp(exponent, True, eager_kernels(exponent))


def linear_encoder():
    encoder = nn.Linear(4, 3, dtype=torch.float64)
    with torch.no_grad():
        for parameter in encoder.parameters():
            parameter.copy_(torch.linspace(-1, 1, parameter.numel()).view_as(parameter).sin())
    return encoder


LAPLACE, NORMAL = {"kind": "laplace", "scale": 0.05}, {"kind": "normal", "std": 0.05}


CUBIC = {"kind": "generalized_normal", "exponent": 3, "scale": 0.05}


WIDE_LAPLACE, WIDE_NORMAL = {"kind": "laplace", "scale": 1}, {"kind": "normal", "std": 1}


def true_pairs(space, marginal, conditional):
    """Latents and their partners in a batch of the papers' size."""
    generator = {"candidates": 1}
    spec = SyntheticProblemSpec(space=space, marginal=marginal, conditional=conditional, generator=generator)
    problem = build(spec, seed=0)
    z = problem.latents(6144, problem.stream)
    return z, problem.partners(z, problem.stream)
