"""Convolutional networks on images of masks."""

import torch

from demix.support.building import build

PUBLISHED = (1, 64, 64)


def made(spec, shape=PUBLISHED, dim=10, seed=0):
    return build(spec, observation_shape=shape, dim=dim, generator=torch.Generator().manual_seed(seed))
