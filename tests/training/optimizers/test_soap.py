"""SOAP: Adam in the eigenbases of the gradients."""

import pytest
import torch
from torch import nn
from updates import update


def soap(every):
    return {"kind": "soap", "every": every}


class Quadratic(nn.Module):
    """A matrix in a badly conditioned bowl, its coordinates rotated by two orthogonal matrices."""

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


@pytest.mark.parametrize(("optimizer", "same"), [({"kind": "soap", "every": 3}, True), ("adam", False)])
def test_eigenbases_make_adam_blind_to_the_coordinates_of_a_matrix(optimizer, same):
    left, right = orthogonal(4, 2), orthogonal(3, 3)
    fields = {"learning_rate": 0.05, "optimizer": optimizer}
    straight = descend(Quadratic(torch.eye(4).double(), torch.eye(3).double()), 25, **fields)
    rotated = descend(Quadratic(left, right), 25, **fields)
    assert torch.allclose(left.T @ rotated @ right, straight, rtol=0, atol=1e-9) is same


def test_in_one_dimension_eigenbases_leave_adam_but_for_the_first_step():
    trained, plain = nn.Linear(1, 1), nn.Linear(1, 1)
    plain.load_state_dict(trained.state_dict())
    made = update(trained, learning_rate=0.01, optimizer=soap(2))
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
    made = update(trained, learning_rate=1e-6, optimizer=soap(4))
    for step in range(200):  # nearly in one place: the second moments hardly change any more
        made.apply(trained(torch.zeros(4, 3, dtype=torch.float64)), step)
    tensors = made.groups[0].tensors()
    for basis, moment in zip(tensors["0/bases"], tensors["0/second_moments"], strict=True):
        torch.testing.assert_close(basis.T @ basis, torch.eye(len(basis), dtype=torch.float64))
        seen = basis.T @ moment @ basis
        assert (seen - seen.diag().diag()).abs().max() < 1e-3 * moment.abs().max()


def test_every_matrix_has_bases_of_its_own_and_the_rest_is_one_group_a_rate():
    made = update(optimizer=soap(10), rate_factors={"1.weight": 2.0})
    parts = [part for group in made.groups for part in group._parts]
    shapes = [(part.factor, [tuple(parameter.shape) for parameter in part.parameters]) for part in parts]
    assert shapes == [(1.0, [(2, 3)]), (1.0, [(2,), (2,)]), (2.0, [(2, 2)])]


def test_a_matrix_without_gradient_stays():
    trained = nn.ModuleDict({"used": nn.Linear(2, 2), "unused": nn.Linear(2, 2)})
    before = trained["unused"].weight.detach().clone()
    made = update(trained, optimizer=soap(1))
    for step in range(3):
        made.apply(trained["used"].weight.sum(), step)
    assert torch.equal(trained["unused"].weight, before)
