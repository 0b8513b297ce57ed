"""The fully connected encoder: sizes, and what it starts as."""

import math
from itertools import pairwise

import pytest
import torch
from scipy import stats
from small_codes import DIM, codes, generator
from torch import nn

from demix.networks.encoders.mlp import CPU_ROWS
from demix.specs.networks.encoders.mlp import MLPSpec
from demix.support.building import build


def encoder(seed=0, size=DIM, dim=DIM, **fields):
    return build(MLPSpec(**fields), observation_shape=(size,), dim=dim, generator=generator(seed))


def test_the_default_encoder_has_the_published_layers():
    sizes = [(layer.in_features, layer.out_features) for layer in encoder().layers]
    widths = [10, 100, 500, 500, 500, 500, 100, 10]
    assert sizes == list(pairwise(widths))
    assert all(layer.bias is not None for layer in encoder().layers)


def test_hidden_widths_are_multiples_of_the_number_of_latents():
    small = encoder(size=7, dim=3, hidden=(2, 5))
    assert [tuple(layer.weight.shape) for layer in small.layers] == [(6, 7), (15, 6), (3, 15)]
    assert small(torch.zeros(4, 7)).shape == (4, 3)


@pytest.mark.parametrize("rows", [CPU_ROWS + 1, 2 * CPU_ROWS, 3 * CPU_ROWS - 5])
def test_rows_that_go_through_the_layers_in_parts_get_the_same_codes_and_gradients(rows, monkeypatch):
    in_parts, together = encoder().double(), encoder().double()
    x = codes(rows, dtype=torch.float64)
    parts = in_parts(x)
    monkeypatch.setattr("demix.networks.encoders.mlp.CPU_ROWS", rows)
    whole = together(x)
    for result in (parts, whole):
        result.square().sum().backward()
    torch.testing.assert_close(parts, whole, rtol=1e-12, atol=1e-12)
    for ours, theirs in zip(in_parts.parameters(), together.parameters(), strict=True):
        torch.testing.assert_close(ours.grad, theirs.grad, rtol=1e-10, atol=1e-10)


def test_parts_are_no_larger_than_the_limit_and_cover_all_rows():
    made, sizes = encoder(), []
    made.layers[0].register_forward_pre_hook(lambda _, arguments: sizes.append(len(arguments[0])))
    made(codes(2 * CPU_ROWS + 1))
    assert sum(sizes) == 2 * CPU_ROWS + 1
    assert max(sizes) <= CPU_ROWS
    assert len(sizes) == 3


@pytest.mark.parametrize("slope", [0.0, 0.01, 0.3])
def test_a_leaky_relu_follows_every_hidden_layer_and_no_other(slope):
    ours = encoder(hidden=(2, 3, 1), slope=slope)
    layers = [module for layer in ours.layers for module in (layer, nn.LeakyReLU(slope))][:-1]
    assert torch.equal(ours(codes()), nn.Sequential(*layers)(codes()))


def test_the_default_initialisation_has_the_distribution_of_a_torch_layer():
    for layer in encoder().layers:
        with torch.random.fork_rng():
            torch.manual_seed(0)
            theirs = nn.Linear(layer.in_features, layer.out_features)
        bound = 1 / math.sqrt(layer.in_features)
        for ours, other in [(layer.weight, theirs.weight), (layer.bias, theirs.bias)]:
            values, others = ours.detach().flatten().numpy(), other.detach().flatten().numpy()
            assert abs(values).max() <= bound
            assert stats.kstest(values.astype(float), stats.uniform(-bound, 2 * bound).cdf).pvalue > 1e-4
            assert stats.ks_2samp(values, others).pvalue > 1e-4
        assert layer.weight.std().item() == pytest.approx(bound / math.sqrt(3), rel=0.05)


@pytest.mark.parametrize("initialization", ["default", "kaiming", "looks_linear"])
def test_the_generator_alone_decides_the_initial_weights(initialization, untouched_global_randomness):
    first = encoder(1, initialization=initialization).state_dict()
    state = torch.get_rng_state()
    torch.manual_seed(99)
    again = encoder(1, initialization=initialization).state_dict()
    torch.set_rng_state(state)
    other = encoder(2, initialization=initialization).state_dict()
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not any(torch.equal(first[name], other[name]) for name in first if name.endswith("weight"))


def test_kaiming_keeps_the_size_of_the_signal_through_the_layers():
    made = encoder(initialization="kaiming", hidden=(50,) * 6)
    for layer in made.layers:
        assert layer.weight.std().item() == pytest.approx(math.sqrt(2 / (1 + 0.01**2) / layer.in_features), rel=0.05)
        assert not layer.bias.any()
    x = codes(2000, scale=1.0)
    assert 0.3 < made(x).square().mean() / x.square().mean() < 3


@pytest.mark.parametrize("slope", [0.0, 0.01, 0.5])
@pytest.mark.parametrize("hidden", [(2,), (4, 4), (2, 6, 10), (4, 2), (6, 3, 4), (10, 50, 50, 50, 50, 10)], ids=str)
@pytest.mark.parametrize("seed", [0, 1])
def test_looks_linear_starts_as_an_orthogonal_map(hidden, slope, seed):
    made = encoder(seed, hidden=hidden, slope=slope, initialization="looks_linear").double()
    matrix = made(torch.eye(DIM, dtype=torch.float64)).detach()
    torch.testing.assert_close(matrix @ matrix.T, torch.eye(DIM, dtype=torch.float64), rtol=0, atol=1e-5)
    x = codes(dtype=torch.float64)
    torch.testing.assert_close(made(x).detach(), x @ matrix, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("hidden", [(2,), (4, 4), (10, 50, 50, 50, 50, 10)], ids=str)
def test_looks_linear_is_linear_although_every_unit_is_a_leaky_relu(hidden):
    made = encoder(hidden=hidden, initialization="looks_linear").double()
    x, y = codes(dtype=torch.float64), codes(dtype=torch.float64).flip(0)
    torch.testing.assert_close(made(2 * x - y), 2 * made(x) - made(y), rtol=1e-6, atol=1e-6)
    assert (made.layers[0](x) < 0).any()


def test_looks_linear_refuses_odd_widths():
    with pytest.raises(ValueError, match="looks_linear needs even hidden widths, got 15"):
        encoder(size=5, dim=5, hidden=(2, 3, 2), initialization="looks_linear")


def test_an_encoder_of_odd_latents_may_look_linear():
    made = encoder(size=5, dim=5, hidden=(2, 4), initialization="looks_linear").double()
    matrix = made(torch.eye(5, dtype=torch.float64)).detach()
    torch.testing.assert_close(matrix @ matrix.T, torch.eye(5, dtype=torch.float64), rtol=0, atol=1e-5)
