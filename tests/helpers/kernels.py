"""What tests of the loops over pairs share: every backend, device and exponent."""

import pytest
import torch

from demix.objectives.kernels.compiled import compiler_of

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU"))]


KERNELS = [
    "eager",
    pytest.param("compiled", marks=pytest.mark.skipif(compiler_of("cpu") is None, reason="no C++ compiler")),
]


DIM = 3


every_kernel = pytest.mark.parametrize("kernel", KERNELS)


every_device = pytest.mark.parametrize("device", DEVICES)


every_exponent = pytest.mark.parametrize("exponent", [1, 2, 3, 1.5])


def points(n, seed=0, dim=DIM, scale=1.0, dtype=torch.float64, device="cpu"):
    generator = torch.Generator().manual_seed(seed)
    return scale * torch.randn(n, dim, dtype=torch.float64, generator=generator).to(device, dtype)


def value_and_gradients_of(loss, *inputs):
    inputs = [x.detach().requires_grad_() for x in inputs]
    value = loss(*inputs)
    weights = torch.linspace(0.5, 2, len(value), dtype=value.dtype, device=value.device)
    return value.detach(), *torch.autograd.grad(value @ weights, inputs)
