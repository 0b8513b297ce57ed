"""Beta-VAE and SlowVAE: their terms against the authors' code, closed forms and simulation."""

import math

import numpy as np
import pytest
import torch
from demix.objectives.vae import (
    BetaVAE,
    SlowVAE,
    cross_entropy_with_laplace,
    cross_entropy_with_normal,
    normal_entropy,
    pixel_cross_entropy,
    slow_vae_divergences,
)
from project import GOLDEN
from torch import nn

from demix.problems.common.batch import Batch


def test_the_terms_are_those_of_the_authors_code():
    golden = {key: torch.from_numpy(np.asarray(array)) for key, array in np.load(GOLDEN / "slowvae_kl.npz").items()}
    mean = torch.cat([golden["mu0"], golden["mu1"]])
    log_variance = torch.cat([golden["logvar0"], golden["logvar1"]])
    rate = float(golden["rate_prior"])
    first, second = mean.chunk(2)
    to_second = cross_entropy_with_laplace(first - second, golden["logvar0"], rate)
    to_first = cross_entropy_with_laplace(second - first, golden["logvar1"], rate)
    ours = {
        "normal_entropy": normal_entropy(log_variance).mean(),
        "cross_entropy_normal": cross_entropy_with_normal(mean, log_variance).mean(),
        "cross_entropy_laplace": (to_second + to_first).mean(),
    }
    for name, value in ours.items():
        torch.testing.assert_close(value, golden[name], rtol=1e-9, atol=0)
    to_normal, to_laplace = slow_vae_divergences(mean, log_variance, rate)
    torch.testing.assert_close(to_normal, golden["cross_entropy_normal"] - golden["normal_entropy"])
    torch.testing.assert_close(to_laplace, golden["cross_entropy_laplace"] - golden["normal_entropy"])


@pytest.mark.parametrize(
    ("m", "s", "rate", "value"),
    [(0, 1, 6, 3.688695), (1, 1, 6, 5.901173), (2, 0.1, 6, 10.901388), (0.5, 0.5, 1, 1.276463)],
)
def test_the_cross_entropy_with_a_laplace_density_can_be_checked_by_hand(m, s, rate, value):
    mean, log_variance = torch.tensor([[float(m)]]), torch.tensor([[2 * math.log(s)]])
    assert float(cross_entropy_with_laplace(mean, log_variance, rate)) == pytest.approx(value, abs=1e-5)
    draws = m + s * np.random.default_rng(0).standard_normal(2_000_000)
    assert np.mean(rate * np.abs(draws)) - math.log(rate / 2) == pytest.approx(value, abs=0.02)


def test_the_divergence_from_a_normal_density_is_the_closed_form():
    mean, log_variance = torch.tensor([[1.0, -0.5]]), torch.tensor([[0.0, 1.0]])
    ours = cross_entropy_with_normal(mean, log_variance) - normal_entropy(log_variance)
    torch.testing.assert_close(ours, 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance).sum(1))
    one, zero = torch.ones(1, 1), torch.zeros(1, 1)
    assert float(cross_entropy_with_normal(one, zero) - normal_entropy(zero)) == pytest.approx(0.5)


def test_pixels_are_summed_and_pictures_averaged():
    logits, pictures = torch.randn(3, 1, 4, 4), torch.rand(3, 1, 4, 4)
    p = torch.sigmoid(logits)
    written = -(pictures * p.log() + (1 - pictures) * (1 - p).log()).sum() / 3
    torch.testing.assert_close(pixel_cross_entropy(logits, pictures), written)
    of_nothing = pixel_cross_entropy(torch.zeros(2, 1, 8, 8), torch.rand(2, 1, 8, 8))
    assert float(of_nothing) == pytest.approx(64 * math.log(2))


class Decoder(nn.Module):
    def forward(self, z):
        return z.sum(1)[:, None, None, None].expand(-1, 1, 4, 4)


def objective(kind=SlowVAE, seed=0, **changed):
    fields = {"beta": 1.0, "gamma": 10.0, "rate": 6.0, "reconstruction_weight": 2.0} | changed
    if kind is BetaVAE:
        del fields["gamma"], fields["rate"]
    return kind(**fields, decoder=Decoder(), generator=torch.Generator().manual_seed(seed))


BATCH = Batch(anchor=torch.zeros(5, 1, 4, 4), positive=torch.ones(5, 1, 4, 4))


def encode(pictures):
    """Two codes: means 0 or 1, log-variance -2."""
    return torch.stack([pictures[:, 0, 0, 0], pictures[:, 0, 1, 1], *2 * [torch.full((len(pictures),), -2.0)]], dim=1)


def test_the_loss_is_the_weighed_sum_of_its_terms():
    loss = objective()(encode, BATCH, 0.0)
    terms = loss.terms
    total = 2 * terms["reconstruction"] + terms["to_normal"] + 10 * terms["to_laplace"]
    torch.testing.assert_close(loss.total, total)
    beta = objective(BetaVAE, beta=8.0)(encode, BATCH, 0.0)
    assert list(beta.terms) == ["reconstruction", "to_normal"]
    torch.testing.assert_close(beta.total, 2 * terms["reconstruction"] + 8 * terms["to_normal"])


def test_posterior_samples_come_from_a_generator_of_their_own_that_is_saved(untouched_global_randomness):
    first, other = objective(), objective(seed=1)
    losses = [float(first(encode, BATCH, 0.0).total) for _ in range(3)]
    assert len(set(losses)) == 3
    assert float(other(encode, BATCH, 0.0).total) != losses[0]
    again = objective()
    again(encode, BATCH, 0.0)
    later = objective(seed=5)
    later.load_state_dict(again.state_dict())
    assert [float(later(encode, BATCH, 0.0).total) for _ in range(2)] == losses[1:]
