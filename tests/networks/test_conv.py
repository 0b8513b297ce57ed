"""The convolutional encoder and decoder: sizes, initialisation, seeds."""

import math

import pytest
import torch
from torch import nn

from demix.specs.model import ConvDecoder, ConvEncoder
from demix.support.building import build

PUBLISHED = (1, 64, 64)


def made(spec, shape=PUBLISHED, dim=10, seed=0):
    return build(spec, observation_shape=shape, dim=dim, generator=torch.Generator().manual_seed(seed))


def test_the_published_encoder_has_the_published_layers():
    encoder = made(ConvEncoder())
    shapes = [tuple(layer.weight.shape) for layer in encoder.convolutions]
    assert shapes == [(32, 1, 4, 4), (32, 32, 4, 4), (64, 32, 4, 4), (64, 64, 4, 4), (256, 64, 4, 4)]
    strides = [(layer.stride, layer.padding) for layer in encoder.convolutions]
    assert strides == 4 * [((2, 2), (1, 1))] + [((1, 1), (0, 0))]
    assert tuple(encoder.linear.weight.shape) == (10, 256)
    x = torch.rand(3, *PUBLISHED)
    written = nn.Sequential(*[part for layer in encoder.convolutions for part in (layer, nn.ReLU())], nn.Flatten())
    torch.testing.assert_close(encoder(x), encoder.linear(written(x)))


def test_the_published_decoder_mirrors_it():
    decoder = made(ConvDecoder())
    shapes = [tuple(layer.weight.shape) for layer in decoder.convolutions]
    assert shapes == [(256, 64, 4, 4), (64, 64, 4, 4), (64, 32, 4, 4), (32, 32, 4, 4), (32, 1, 4, 4)]
    assert decoder(torch.zeros(2, 10)).shape == (2, *PUBLISHED)
    z = torch.randn(3, 10)
    layers = [part for layer in decoder.convolutions for part in (layer, nn.ReLU())][:-1]
    hidden = torch.relu(decoder.linear(z))[:, :, None, None]
    torch.testing.assert_close(decoder(z), nn.Sequential(*layers)(hidden))


def test_weights_are_he_normal_with_zero_biases():
    encoder = made(ConvEncoder())
    for layer in (*encoder.convolutions, encoder.linear):
        fan_in = layer.weight[0].numel()
        assert float(layer.weight.detach().std()) == pytest.approx(math.sqrt(2 / fan_in), rel=0.1)
        assert not layer.bias.any()


def test_transposed_convolutions_have_the_initialisation_of_torch():
    for layer in made(ConvDecoder()).convolutions:
        torch.manual_seed(0)
        reference = nn.ConvTranspose2d(layer.in_channels, layer.out_channels, layer.kernel_size)
        for name in ("weight", "bias"):
            ours, theirs = getattr(layer, name), getattr(reference, name)
            if ours.numel() > 1000:
                assert float(ours.detach().std()) == pytest.approx(float(theirs.detach().std()), rel=0.1)
                assert float(ours.detach().abs().max()) == pytest.approx(float(theirs.detach().abs().max()), rel=0.02)


@pytest.mark.parametrize("spec", [ConvEncoder(), ConvDecoder()])
def test_a_seed_makes_a_network_and_global_randomness_none(spec, untouched_global_randomness):
    first, again, other = (made(spec, seed=seed).state_dict() for seed in (0, 0, 1))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)


@pytest.mark.parametrize(("size", "channels"), [(32, (8, 16, 16)), (16, (4, 8)), (16, (4, 8, 8, 8))])
def test_smaller_pictures_take_fewer_halvings(size, channels):
    encoder = made(ConvEncoder(channels=channels, features=12), (1, size, size))
    decoder = made(ConvDecoder(channels=channels[::-1], features=12), (1, size, size))
    assert decoder(encoder(torch.rand(2, 1, size, size))).shape == (2, 1, size, size)


@pytest.mark.parametrize("spec", [ConvEncoder(), ConvDecoder(), ConvEncoder(channels=(4, 8), features=6)])
def test_stated_sizes_are_those_of_the_layers(spec):
    """Products of a layer: its weights times the positions that each of them meets."""
    network, seen = made(spec), []
    for layer in network.modules():
        if hasattr(layer, "weight"):
            layer.register_forward_hook(lambda layer, given, put: seen.append((layer, given[0], put)))
    network(torch.zeros(1, *PUBLISHED) if isinstance(spec, ConvEncoder) else torch.zeros(1, 10))
    for stated, (layer, given, put) in zip(spec.layers(PUBLISHED, 10), seen, strict=True):
        positions = given if isinstance(layer, nn.ConvTranspose2d) else put
        assert stated.products == layer.weight.numel() * positions[0, 0].numel()
        assert stated.values == put.numel()
