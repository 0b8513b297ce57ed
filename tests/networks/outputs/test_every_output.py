"""Every output layer: whether its size is trained, and that the configuration's is in the model."""

import pytest
from small_codes import DIM, codes
from small_runs import box_trainee

from demix.networks.encoders.mlp import MLP
from demix.networks.outputs.box import BoxOutput
from demix.networks.outputs.sphere import SphereOutput
from demix.networks.outputs.unbounded import UnboundedOutput
from demix.specs.networks.outputs.box import BoxOutputSpec
from demix.specs.networks.outputs.sphere import SphereOutputSpec
from demix.support.building import build


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
    trainee = box_trainee(kind)
    assert isinstance(trainee.encoder[0], MLP)
    assert type(trainee.encoder[-1]) is layer
