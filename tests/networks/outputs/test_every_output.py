"""Every output layer: whether its size is trained, and that the configuration's is in the model."""

import pytest
import torch

from demix.networks.encoders.mlp import MLP
from demix.networks.outputs.box import BoxOutput
from demix.networks.outputs.sphere import SphereOutput
from demix.networks.outputs.unbounded import UnboundedOutput
from demix.specs.base import parse
from demix.specs.networks.outputs.box import BoxOutputSpec
from demix.specs.networks.outputs.sphere import SphereOutputSpec
from demix.specs.run import RunSpec
from demix.support.building import build
from demix.training.trainee import Trainee

DIM = 10


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def codes(count=256, scale=3.0, dtype=torch.float32):
    return scale * torch.randn(count, DIM, generator=generator(7), dtype=dtype)


@pytest.mark.parametrize(
    ("spec", "name"), [(SphereOutputSpec, "radius"), (BoxOutputSpec, "bound")], ids=["sphere", "box"]
)
@pytest.mark.parametrize("learnable", [True, False])
def test_the_size_of_a_space_trains_only_if_it_is_learnable(spec, name, learnable):
    output = build(spec(learnable=learnable), dim=DIM)
    y = codes().requires_grad_()
    output(y).sum().backward()
    size = getattr(output, name)
    assert size.requires_grad is learnable
    assert (size.grad is not None) is learnable
    assert not learnable or (size.grad != 0).all()
    assert y.grad.abs().max() > 0
    assert name in output.state_dict()


def test_by_default_the_radius_is_fixed_and_the_bounds_are_learnable():
    assert not build(SphereOutputSpec(), dim=DIM).radius.requires_grad
    assert build(BoxOutputSpec(), dim=DIM).bound.requires_grad


@pytest.mark.parametrize(
    ("kind", "layer"), [("sphere", SphereOutput), ("box", BoxOutput), ("unbounded", UnboundedOutput)]
)
def test_the_output_that_the_config_names_is_really_in_the_model(kind, layer):
    trainee = trainee_with(kind)
    assert isinstance(trainee.encoder[0], MLP)
    assert type(trainee.encoder[-1]) is layer


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
