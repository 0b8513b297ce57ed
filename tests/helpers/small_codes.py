"""Random codes for tests of encoders and output layers."""

import torch

DIM = 10


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def codes(count=256, scale=3.0, dtype=torch.float32):
    """Normal numbers, shape (count, DIM), always the same."""
    return scale * torch.randn(count, DIM, generator=generator(7), dtype=dtype)
