"""The optimizer step: learning rates over time and over parameters."""

import math

import pytest
import torch
from torch import nn
from updates import module, update


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
