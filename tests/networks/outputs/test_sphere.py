"""Codes on a sphere."""

import pytest
import torch
from small_codes import DIM, codes
from torch import nn

from demix.specs.networks.outputs.sphere import SphereOutputSpec
from demix.support.building import build


@pytest.mark.parametrize("radius", [1.0, 2.5])
def test_sphere_codes_have_the_length_of_the_radius(radius):
    output = build(SphereOutputSpec(radius=radius), dim=DIM)(codes())
    torch.testing.assert_close(output.norm(dim=-1), torch.full((256,), radius))
    torch.testing.assert_close(nn.functional.cosine_similarity(output, codes()), torch.ones(256))
