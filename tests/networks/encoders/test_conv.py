"""The convolutional encoder: sizes, initialisation, seeds."""

import math

import pytest
import torch
from conv_networks import PUBLISHED, made
from torch import nn

from demix.specs.networks.decoders.conv import ConvDecoderSpec
from demix.specs.networks.encoders.conv import ConvEncoderSpec


def test_the_published_encoder_has_the_published_layers():
    encoder = made(ConvEncoderSpec())
    shapes = [tuple(layer.weight.shape) for layer in encoder.convolutions]
    assert shapes == [(32, 1, 4, 4), (32, 32, 4, 4), (64, 32, 4, 4), (64, 64, 4, 4), (256, 64, 4, 4)]
    strides = [(layer.stride, layer.padding) for layer in encoder.convolutions]
    assert strides == 4 * [((2, 2), (1, 1))] + [((1, 1), (0, 0))]
    assert tuple(encoder.linear.weight.shape) == (10, 256)
    x = torch.rand(3, *PUBLISHED)
    written = nn.Sequential(*[part for layer in encoder.convolutions for part in (layer, nn.ReLU())], nn.Flatten())
    torch.testing.assert_close(encoder(x), encoder.linear(written(x)))


def test_weights_are_he_normal_with_zero_biases():
    encoder = made(ConvEncoderSpec())
    for layer in (*encoder.convolutions, encoder.linear):
        fan_in = layer.weight[0].numel()
        assert float(layer.weight.detach().std()) == pytest.approx(math.sqrt(2 / fan_in), rel=0.1)
        assert not layer.bias.any()


@pytest.mark.parametrize("spec", [ConvEncoderSpec(), ConvDecoderSpec()])
def test_a_seed_makes_a_network_and_global_randomness_none(spec, untouched_global_randomness):
    first, again, other = (made(spec, seed=seed).state_dict() for seed in (0, 0, 1))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)


@pytest.mark.parametrize("spec", [ConvEncoderSpec(), ConvDecoderSpec(), ConvEncoderSpec(channels=(4, 8), features=6)])
def test_stated_sizes_are_those_of_the_layers(spec):
    """Products of a layer: its weights times the positions that each of them meets."""
    network, seen = made(spec), []
    for layer in network.modules():
        if hasattr(layer, "weight"):
            layer.register_forward_hook(lambda layer, given, put: seen.append((layer, given[0], put)))
    network(torch.zeros(1, *PUBLISHED) if isinstance(spec, ConvEncoderSpec) else torch.zeros(1, 10))
    for stated, (layer, given, put) in zip(spec.layers(PUBLISHED, 10), seen, strict=True):
        positions = given if isinstance(layer, nn.ConvTranspose2d) else put
        assert stated.products == layer.weight.numel() * positions[0, 0].numel()
        assert stated.values == put.numel()
