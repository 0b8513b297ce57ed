"""The optimiser step: learning rates over time and over parameters."""

import math

import pytest
import torch
from torch import nn

from demix.specs.training import Training
from demix.support.building import build


def module():
    return nn.ModuleDict({"encoder": nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 2)), "objective": nn.Module()})


def update(trained=None, **fields):
    return build(Training(**fields), module=trained or module())


def test_the_published_recipe_is_torchs_adam_at_a_constant_rate():
    trained, plain = nn.Linear(3, 2), nn.Linear(3, 2)
    plain.load_state_dict(trained.state_dict())
    made, adam = update(trained), torch.optim.Adam(plain.parameters(), lr=1e-4)
    source = torch.Generator().manual_seed(0)
    for step in range(20):
        x = torch.randn(8, 3, generator=source)
        made.apply(trained(x).square().mean(), step)
        adam.zero_grad()
        plain(x).square().mean().backward()
        adam.step()
    for ours, theirs in zip(trained.parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-7)
    assert {made.rate(step) for step in (0, 1, 1000, 300_002)} == {1e-4}


def test_the_warm_up_rises_linearly_to_the_rate():
    made = update(learning_rate=0.8, warmup_steps=4, steps=100)
    assert [made.rate(step) for step in range(6)] == pytest.approx([0.2, 0.4, 0.6, 0.8, 0.8, 0.8])
    assert made.rate(99) == 0.8


def test_the_cosine_falls_from_the_rate_to_nothing():
    made = update(learning_rate=0.8, schedule="cosine", steps=100)
    assert made.rate(0) == 0.8
    assert made.rate(25) == pytest.approx(0.4 * (1 + math.sqrt(0.5)))
    assert made.rate(50) == pytest.approx(0.4)
    assert 0 < made.rate(99) < 0.8 * 3e-4
    assert made.rate(100) == pytest.approx(0, abs=1e-15)
    rates = [made.rate(step) for step in range(101)]
    assert rates == sorted(rates, reverse=True)


def test_the_cosine_starts_after_the_warm_up():
    made = update(learning_rate=0.8, schedule="cosine", warmup_steps=20, steps=100)
    assert made.rate(0) == pytest.approx(0.04)
    assert made.rate(9) == pytest.approx(0.4)
    assert made.rate(19) == made.rate(20) == pytest.approx(0.8)
    assert made.rate(60) == pytest.approx(0.4)
    assert made.rate(100) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("warmup", [10, 50])
def test_a_warm_up_as_long_as_the_training_never_falls(warmup):
    made = update(learning_rate=0.8, schedule="cosine", warmup_steps=warmup, steps=10)
    rates = [made.rate(step) for step in range(10)]
    assert rates == sorted(rates)


def test_every_parameter_moves_by_its_rate_in_the_first_step():
    trained = module()
    names = dict(trained.named_parameters())
    before = {name: parameter.detach().clone() for name, parameter in names.items()}
    made = update(trained, learning_rate=0.01, rate_factors={"bias": 5.0, "1.weight": 0.5}, warmup_steps=2)
    made.apply(sum(parameter.sum() for parameter in names.values()), step=0)
    for name, parameter in names.items():
        factor = 5.0 if name.endswith("bias") else 0.5 if name.endswith("1.weight") else 1.0
        # the first step of Adam has the size of the rate, here halved by the warm-up
        torch.testing.assert_close(before[name] - parameter.detach(), torch.full_like(parameter, 0.005 * factor))


def test_rate_factors_make_groups_that_hold_every_parameter_once():
    trained = module()
    made = update(trained, rate_factors={"bias": 5.0, "0.weight": 2.0})
    sizes = {group.factor: len(group.parameters) for group in made.groups}
    assert sizes == {5.0: 2, 2.0: 1, 1.0: 1}


def test_a_factor_names_whole_parts_of_a_name():
    with pytest.raises(ValueError, match="rate_factors name no parameter of the model: eight"):
        update(rate_factors={"eight": 2.0})


def test_factors_that_name_no_parameter_are_all_listed():
    with pytest.raises(ValueError, match="rate_factors name no parameter of the model: bound, radius"):
        update(rate_factors={"radius": 2.0, "bias": 3.0, "bound": 10.0})


def test_parameters_that_are_fixed_are_not_trained():
    trained = module()
    trained["encoder"][0].weight.requires_grad_(False)
    made = update(trained)
    held = [parameter for group in made.groups for parameter in group.parameters]
    assert len(held) == 3
    with pytest.raises(ValueError, match=r"0\.weight"):
        update(trained, rate_factors={"0.weight": 2.0})


def test_gradients_do_not_add_up_over_steps():
    trained = nn.Linear(1, 1, bias=False)
    made = update(trained, learning_rate=0.1)
    for step in range(3):
        made.apply(2 * trained.weight.sum(), step)
        assert trained.weight.grad.item() == 2


class Quadratic(nn.Module):
    """A matrix in a badly conditioned bowl, its coordinates turned by two orthogonal matrices."""

    def __init__(self, left, right):
        super().__init__()
        self.left, self.right = left, right
        start = torch.randn(4, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
        self.weight = nn.Parameter(left @ start @ right.T)

    def forward(self, noise):
        scales = torch.tensor([30.0, 3.0, 1.0, 0.1], dtype=torch.float64)
        straight = self.left.T @ self.weight @ self.right
        return (scales[:, None] * (straight + 0.1 * noise).square()).sum()


def orthogonal(size, seed):
    return nn.init.orthogonal_(
        torch.empty(size, size, dtype=torch.float64), generator=torch.Generator().manual_seed(seed)
    )


def descend(trained, steps, **fields):
    made, source = update(trained, **fields), torch.Generator().manual_seed(0)
    for step in range(steps):
        noise = torch.randn(4, 3, dtype=torch.float64, generator=source)
        made.apply(trained(noise), step)
    return trained.weight.detach()


@pytest.mark.parametrize(("eigenbasis_steps", "same"), [(3, True), (0, False)])
def test_eigenbases_make_adam_blind_to_the_coordinates_of_a_matrix(eigenbasis_steps, same):
    left, right = orthogonal(4, 2), orthogonal(3, 3)
    fields = {"learning_rate": 0.05, "eigenbasis_steps": eigenbasis_steps}
    straight = descend(Quadratic(torch.eye(4).double(), torch.eye(3).double()), 25, **fields)
    turned = descend(Quadratic(left, right), 25, **fields)
    assert torch.allclose(left.T @ turned @ right, straight, rtol=0, atol=1e-9) is same


def test_in_one_dimension_eigenbases_leave_adam_but_for_the_first_step():
    trained, plain = nn.Linear(1, 1), nn.Linear(1, 1)
    plain.load_state_dict(trained.state_dict())
    made = update(trained, learning_rate=0.01, eigenbasis_steps=2)
    groups = [
        {"params": [plain.weight], "betas": (0.95, 0.95), "eps": 1e-10},
        {"params": [plain.bias], "betas": (0.9, 0.999)},
    ]
    adam = torch.optim.Adam(groups, lr=0.01)
    source = torch.Generator().manual_seed(0)
    for step in range(20):
        x = torch.randn(8, 1, generator=source)
        made.apply((trained(x) - 1).square().mean(), step)
        adam.zero_grad()
        (plain(x) - 1).square().mean().backward()
        plain.weight.grad = plain.weight.grad if step else None
        adam.step()
    torch.testing.assert_close(trained.weight, plain.weight)
    torch.testing.assert_close(trained.bias, plain.bias)


def test_bases_are_orthogonal_and_diagonalise_what_they_follow():
    trained = Quadratic(orthogonal(4, 2), orthogonal(3, 3))
    made = update(trained, learning_rate=1e-6, eigenbasis_steps=4)
    for step in range(200):  # nearly in one place: the second moments settle
        made.apply(trained(torch.zeros(4, 3, dtype=torch.float64)), step)
    tensors = made.groups[0].tensors()
    for basis, moment in zip(tensors["bases"], tensors["second_moments"], strict=True):
        torch.testing.assert_close(basis.T @ basis, torch.eye(len(basis), dtype=torch.float64))
        seen = basis.T @ moment @ basis
        assert (seen - seen.diag().diag()).abs().max() < 1e-3 * moment.abs().max()


def test_every_matrix_has_bases_of_its_own_and_the_rest_is_one_group_a_rate():
    made = update(eigenbasis_steps=10, rate_factors={"1.weight": 2.0})
    shapes = [(group.factor, [tuple(parameter.shape) for parameter in group.parameters]) for group in made.groups]
    assert shapes == [(1.0, [(2, 3)]), (1.0, [(2,), (2,)]), (2.0, [(2, 2)])]


def test_a_matrix_without_gradient_stays():
    trained = nn.ModuleDict({"used": nn.Linear(2, 2), "unused": nn.Linear(2, 2)})
    before = trained["unused"].weight.detach().clone()
    made = update(trained, eigenbasis_steps=1)
    for step in range(3):
        made.apply(trained["used"].weight.sum(), step)
    assert torch.equal(trained["unused"].weight, before)
