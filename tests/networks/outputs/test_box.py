"""Codes in a box: its bounds, and that they are trained."""

import pytest
import torch

from demix.specs.base import parse
from demix.specs.networks.outputs.box import BoxOutputSpec
from demix.specs.run import RunSpec
from demix.support.building import build
from demix.training.trainee import Trainee

DIM = 10


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def codes(count=256, scale=3.0, dtype=torch.float32):
    return scale * torch.randn(count, DIM, generator=generator(7), dtype=dtype)


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


def trainee_with(output):
    data = {
        "problem": {
            "space": "box",
            "dim": 4,
            "marginal": "uniform",
            "conditional": {"kind": "laplace", "scale": 0.05},
            "generator": {"candidates": 5},
        },
        "model": {
            "encoder": {"kind": "mlp", "hidden": [4, 4]},
            "output": output,
            "objective": {"kind": "lp_infonce", "exponent": 1},
        },
        "training": {"batch_size": 64, "steps": 10, "learning_rate": 0.01},
    }
    spec = parse(RunSpec, data, "test")
    return Trainee(spec, 0, build(spec.problem, seed=0))


def test_a_box_model_has_its_box_and_trains_the_bounds():
    trainee = trainee_with("box")
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
    trainee = trainee_with({"kind": "box", "learnable": False})
    for step in range(3):
        trainee.step(step)
    assert (trainee.encoder[-1].bound == 1).all()
