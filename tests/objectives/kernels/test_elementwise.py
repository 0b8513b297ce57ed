"""The loops over coordinates: exact zeros where points coincide."""

import pytest
import torch
from kernels import DIM, every_kernel

from demix.objectives.kernels.compiled import lp_kernels


@every_kernel
@pytest.mark.parametrize("exponent", [1, 3])
def test_equal_coordinates_have_no_distance_and_no_slope(kernel, exponent):
    kernels = lp_kernels(kernel, exponent, DIM, "cpu")
    same = torch.tensor([[0.1, -3e7, 1e-42], [0.0, -0.0, 5.0]]).T.contiguous()
    assert torch.equal(kernels.power_sum(same, same).diagonal(), torch.zeros(2))
    for slopes in kernels.weighted_slopes(same, same, torch.eye(2)):
        assert torch.equal(slopes, torch.zeros(DIM, 2))
