"""A field that is added with a neutral value trains nothing again."""

from typing import Annotated

import pytest
from project import CONFIG
from pydantic import create_model

from demix.experiment.experiment import load_experiment
from demix.experiment.keys import result_key
from demix.specs.base import Neutral, content
from demix.support.building import build

RUN = "box-uni-norm005_unb-norm"


@pytest.fixture(scope="module")
def spec():
    return load_experiment(CONFIG).runs[RUN].spec


def grown(part, value):
    """The part of a spec with a field more, which is neutral at 0."""
    more = {"surplus": (Annotated[float, Neutral(0.0)], 0.0)}
    cls = create_model(type(part).__name__, __base__=type(part), __module__=type(part).__module__, **more)
    return cls(**part.model_dump(), surplus=value)


def with_training(spec, value):
    return spec.model_copy(update={"training": grown(spec.training, value)})


def with_encoder(spec, value):
    model = spec.model.model_copy(update={"encoder": grown(spec.model.encoder, value)})
    return spec.model_copy(update={"model": model})


def with_density(spec, value):
    problem = spec.problem.model_copy(update={"conditional": grown(spec.problem.conditional, value)})
    return spec.model_copy(update={"problem": problem})


@pytest.mark.parametrize("added", [with_training, with_encoder, with_density])
def test_a_neutral_field_changes_a_key_with_another_value_alone(spec, added):
    key = result_key(spec, evaluation=False)
    assert content(added(spec, 0.0)) == content(spec)
    assert result_key(added(spec, 0.0), evaluation=False) == key
    assert result_key(added(spec, 1.0), evaluation=False) != key


def test_an_implementation_is_not_called_with_a_neutral_value(spec):
    density = spec.problem.conditional
    assert type(build(grown(density, 0.0))) is type(build(density))
    with pytest.raises(TypeError, match="surplus"):
        build(grown(density, 1.0))
