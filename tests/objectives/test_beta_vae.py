"""The beta-VAE: SlowVAE without what holds a pair together."""

import torch
from vaes import BATCH, encode, objective

from demix.objectives.beta_vae import BetaVAE
from demix.specs.objectives.beta_vae import BetaVAESpec
from demix.support.building import build


def test_the_loss_is_that_of_slow_vae_without_the_laplace_term():
    terms = objective()(encode, BATCH, 0.0).terms
    beta = objective(BetaVAE, beta=8.0)(encode, BATCH, 0.0)
    assert list(beta.terms) == ["reconstruction", "to_normal"]
    torch.testing.assert_close(beta.total, 2 * terms["reconstruction"] + 8 * terms["to_normal"])


def test_the_spec_builds_it_with_its_weight():
    made = build(BetaVAESpec(beta=3.0))
    assert (type(made), made.beta, made.gamma) == (BetaVAE, 3.0, 0.0)
