"""Codes on R^dim."""

import torch

from demix.specs.networks.outputs.unbounded import UnboundedOutputSpec
from demix.support.building import build

DIM = 10


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def codes(count=256, scale=3.0, dtype=torch.float32):
    return scale * torch.randn(count, DIM, generator=generator(7), dtype=dtype)


def test_unbounded_codes_are_left_alone():
    output = build(UnboundedOutputSpec(), dim=DIM)
    assert torch.equal(output(codes()), codes())
    assert not list(output.parameters())
