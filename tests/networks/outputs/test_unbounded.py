"""Codes on R^dim."""

import torch
from small_codes import DIM, codes

from demix.specs.networks.outputs.unbounded import UnboundedOutputSpec
from demix.support.building import build


def test_unbounded_codes_are_left_alone():
    output = build(UnboundedOutputSpec(), dim=DIM)
    assert torch.equal(output(codes()), codes())
    assert not list(output.parameters())
