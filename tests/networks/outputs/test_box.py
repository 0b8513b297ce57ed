"""Codes in a box: its bounds, and that they are trained."""

import pytest
import torch
from small_codes import DIM, codes, generator
from small_runs import box_trainee

from demix.specs.networks.outputs.box import BoxOutputSpec
from demix.support.building import build


@pytest.mark.parametrize("bound", [1.0, 4.0])
def test_box_codes_are_a_sigmoid_times_one_bound_per_coordinate(bound):
    output = build(BoxOutputSpec(bound=bound), dim=DIM)
    assert output.bound.tolist() == [bound] * DIM
    with torch.no_grad():
        output.bound[3] = 0.5
        y = output(codes())
        extreme = output(torch.cat([torch.full((1, DIM), 100.0), torch.full((1, DIM), -100.0)]))
    torch.testing.assert_close(y, torch.sigmoid(codes()) * output.bound.detach())
    assert (y >= 0).all()
    assert (y <= output.bound).all()
    torch.testing.assert_close(extreme, torch.stack([output.bound.detach(), torch.zeros(DIM)]))


def test_a_box_model_has_its_box_and_trains_the_bounds():
    trainee = box_trainee("box")
    trained = {id(parameter) for group in trainee.update.groups for parameter in group.parameters}
    bound = trainee.encoder[-1].bound
    assert id(bound) in trained
    far = 1e4 * torch.randn(500, 4, generator=generator())
    outputs = trainee.codes(far)
    assert outputs.min() >= 0
    assert outputs.max() <= 1
    assert outputs.max() > 0.9
    for step in range(10):
        trainee.step(step)
    assert (bound != 1).all()
    outputs = trainee.codes(far)
    assert (outputs >= 0).all()
    assert (outputs <= bound.detach()).all()


def test_a_fixed_box_keeps_its_bounds():
    trainee = box_trainee({"kind": "box", "learnable": False})
    for step in range(3):
        trainee.step(step)
    assert (trainee.encoder[-1].bound == 1).all()
