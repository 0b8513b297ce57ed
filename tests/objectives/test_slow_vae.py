"""SlowVAE: the weighed sum of its terms."""

import torch
from vaes import BATCH, encode, objective

from demix.objectives.common.base import Surroundings
from demix.specs.objectives.slow_vae import SlowVAESpec
from demix.support.building import build


def test_the_loss_is_the_weighed_sum_of_its_terms():
    loss = objective()(encode, BATCH, 0.0)
    terms = loss.terms
    total = 2 * terms["reconstruction"] + terms["to_normal"] + 10 * terms["to_laplace"]
    torch.testing.assert_close(loss.total, total)


def test_its_decoder_is_drawn_from_the_seed_and_trained():
    def made(seed):
        slow = build(SlowVAESpec(decoder={"channels": (2,), "features": 3}))
        slow.set_up(Surroundings("eager", (1, 4, 4), 2, torch.device("cpu"), seed))
        return slow

    first, again, other = (made(seed).decoder.linear.weight for seed in (0, 0, 1))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert first.requires_grad
