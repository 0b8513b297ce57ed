"""A ResNet-18 on small images, for tests of its layers and of batch norm."""

import torch

from demix.specs.networks.encoders.resnet18 import ResNet18Spec
from demix.support.building import build
from demix.support.randomness import torch_generator

SHAPE = (3, 32, 32)


def network(seed=0, dim=10, **fields):
    return build(
        ResNet18Spec(**fields),
        observation_shape=SHAPE,
        dim=dim,
        generator=torch_generator(seed, "initialization"),
    )


def images(count=6, seed=0):
    return torch.randn(count, *SHAPE, generator=torch_generator(seed, "images"))
