"""The ResNet-18 encoder: its parts, its initial weights, its size."""

import math

import pytest
import torch
from resnets import SHAPE, images, network
from torch import nn

from demix.specs.base import parse
from demix.specs.networks.encoders.resnet18 import ResNet18Spec
from demix.specs.run import RunSpec
from demix.support.errors import ConfigError
from demix.training.batch_norm import frozen_averages


@pytest.fixture(scope="module")
def made():
    return network()


def test_it_is_torchvisions_with_the_head_of_the_code(made):
    from torchvision.models import resnet18

    assert sum(p.numel() for p in resnet18(weights=None, num_classes=100).parameters()) + 100 * 10 + 10 == sum(
        p.numel() for p in made.parameters()
    )
    hidden = made.trunk(images())
    assert hidden.shape == (6, 100)
    with frozen_averages(made, running_averages=False):
        torch.testing.assert_close(made(images()), made.linear(nn.functional.leaky_relu(hidden, 0.01)))


def test_weights_come_from_the_generator_alone(made, untouched_global_randomness):
    same, other = network(), network(seed=1)
    for name, values in made.named_parameters():
        assert torch.equal(values, dict(same.named_parameters())[name]), name
    assert not torch.equal(made.trunk.conv1.weight, other.trunk.conv1.weight)


def test_the_law_of_the_weights_is_torchvisions(made):
    for layer in made.modules():
        if isinstance(layer, nn.Conv2d):
            wanted = math.sqrt(2 / (layer.out_channels * layer.kernel_size[0] ** 2))
            assert abs(layer.weight.std() / wanted - 1) < 0.05
        elif isinstance(layer, nn.BatchNorm2d):
            assert (layer.weight == 1).all()
            assert not layer.bias.any()
            assert (layer.running_var == 1).all() or layer.num_batches_tracked > 0
    bound = 1 / math.sqrt(512)
    assert 0.99 * bound < made.trunk.fc.weight.abs().max() <= bound


def test_the_memory_order_changes_last_digits_only():
    plain, last = network(), network(channels_last=True)
    assert last.trunk.layer1[0].conv1.weight.is_contiguous(memory_format=torch.channels_last)
    torch.testing.assert_close(plain(images()), last(images()), atol=1e-3, rtol=1e-3)


def test_sizes_of_layers_are_those_of_the_network(made):
    counted = []
    hooks = [
        layer.register_forward_hook(
            lambda layer, _, out: counted.append((layer.weight[0].numel() * out[0].numel(), out[0].numel()))
        )
        for layer in made.modules()
        if isinstance(layer, nn.Conv2d | nn.Linear)
    ]
    with frozen_averages(made, running_averages=False):
        made(images(2))
    for hook in hooks:
        hook.remove()
    sizes = ResNet18Spec().layers(SHAPE, 10)
    assert sorted((size.products, size.values) for size in sizes) == sorted(counted)
    published = sum(size.products for size in ResNet18Spec().layers((3, 224, 224), 10))
    assert abs(published / 1.814e9 - 1) < 0.01


def test_other_observations_are_refused():
    run = {
        "problem": {"kind": "images", "data": "kitti_stand_in", "pairs": "frames_of_a_sequence"},
        "model": {"encoder": "resnet18", "output": "box", "objective": {"kind": "lp_infonce", "exponent": 2}},
        "training": {},
    }
    with pytest.raises(ConfigError, match=r"resnet18 takes images of three channels, not shape \(1, 64, 64\)"):
        parse(RunSpec, run, "run")
