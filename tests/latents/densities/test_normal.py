"""The normal density as a marginal of the sphere. What it shares with other noise: test_every_noise.py."""

import pytest
import torch
from sampling import generator, problem


def test_the_normal_marginal_of_the_sphere_leans_to_the_pole():
    z = problem("sphere", {"kind": "normal", "std": 1}).latents(100_000, generator())
    assert z[:, 0].mean().item() == pytest.approx(0.297, abs=0.003)
    torch.testing.assert_close(z[:, 1:].mean(0), torch.zeros(9), rtol=0, atol=0.005)
