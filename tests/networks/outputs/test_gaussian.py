"""Posteriors as outputs: two numbers a code, of which the means are scored."""

import torch

from demix.specs.networks.outputs.gaussian import GaussianOutputSpec
from demix.support.building import build


def test_the_codes_of_a_posterior_are_its_means():
    spec = GaussianOutputSpec()
    output = build(spec, dim=3)
    y = torch.randn(5, 3 * spec.numbers_a_code, generator=torch.Generator().manual_seed(0))
    assert torch.equal(output(y), y)
    means, _ = y.chunk(2, dim=-1)
    assert torch.equal(output.codes(y), means)
    assert not list(output.parameters())
