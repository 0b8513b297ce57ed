"""The convolutional decoder: sizes and initialisation, and that it mirrors the encoder."""

import pytest
import torch
from conv_networks import PUBLISHED, made
from torch import nn

from demix.specs.networks.decoders.conv import ConvDecoderSpec
from demix.specs.networks.encoders.conv import ConvEncoderSpec


def test_the_published_decoder_mirrors_it():
    decoder = made(ConvDecoderSpec())
    shapes = [tuple(layer.weight.shape) for layer in decoder.convolutions]
    assert shapes == [(256, 64, 4, 4), (64, 64, 4, 4), (64, 32, 4, 4), (32, 32, 4, 4), (32, 1, 4, 4)]
    assert decoder(torch.zeros(2, 10)).shape == (2, *PUBLISHED)
    z = torch.randn(3, 10)
    layers = [part for layer in decoder.convolutions for part in (layer, nn.ReLU())][:-1]
    hidden = torch.relu(decoder.linear(z))[:, :, None, None]
    torch.testing.assert_close(decoder(z), nn.Sequential(*layers)(hidden))


def test_transposed_convolutions_have_the_initialisation_of_torch():
    for layer in made(ConvDecoderSpec()).convolutions:
        torch.manual_seed(0)
        reference = nn.ConvTranspose2d(layer.in_channels, layer.out_channels, layer.kernel_size)
        for name in ("weight", "bias"):
            ours, theirs = getattr(layer, name), getattr(reference, name)
            if ours.numel() > 1000:
                assert float(ours.detach().std()) == pytest.approx(float(theirs.detach().std()), rel=0.1)
                assert float(ours.detach().abs().max()) == pytest.approx(float(theirs.detach().abs().max()), rel=0.02)


@pytest.mark.parametrize(("size", "channels"), [(32, (8, 16, 16)), (16, (4, 8)), (16, (4, 8, 8, 8))])
def test_smaller_images_take_fewer_halvings(size, channels):
    encoder = made(ConvEncoderSpec(channels=channels, features=12), (1, size, size))
    decoder = made(ConvDecoderSpec(channels=channels[::-1], features=12), (1, size, size))
    assert decoder(encoder(torch.rand(2, 1, size, size))).shape == (2, 1, size, size)
