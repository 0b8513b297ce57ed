"""Terms of the VAEs against the authors' code, closed forms and simulation; posterior samples."""

import math

import numpy as np
import pytest
import torch
from project import GOLDEN
from vaes import BATCH, encode, objective

from demix.objectives.common.vae import (
    cross_entropy_with_laplace,
    cross_entropy_with_normal,
    normal_entropy,
    pixel_cross_entropy,
    slow_vae_divergences,
)


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


def test_pixels_are_summed_and_images_averaged():
    logits, images = torch.randn(3, 1, 4, 4), torch.rand(3, 1, 4, 4)
    p = torch.sigmoid(logits)
    written = -(images * p.log() + (1 - images) * (1 - p).log()).sum() / 3
    torch.testing.assert_close(pixel_cross_entropy(logits, images), written)
    of_nothing = pixel_cross_entropy(torch.zeros(2, 1, 8, 8), torch.rand(2, 1, 8, 8))
    assert float(of_nothing) == pytest.approx(64 * math.log(2))


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
