"""A lower precision of the encoder: declared, confined to its matrix products, and off by default."""

import pytest
import torch
from small_runs import small_trainee

from demix.experiment.experiment import load_experiment
from demix.experiment.options import base_config
from demix.objectives.kernels import streaming
from demix.specs.base import parse
from demix.specs.training import TrainingSpec
from demix.support.errors import ConfigError
from demix.training.precision import EncoderPrecision

CPU = torch.device("cpu")


def trainee(precision=None, device="cpu"):
    lowered = {} if precision is None else {"precision": precision}
    training = {"steps": 20, "batch_size": 64, "learning_rate": 1e-3, **lowered}
    return small_trainee("sphere", "sphere", "dot_infonce", hidden=(8, 8), device=device, **training)


def watched(one):
    """Steps of a run; dtypes and precision that its linear layers and its loss have met."""
    layers, losses = set(), set()
    for layer in one.encoder[0].layers:
        layer.register_forward_hook(lambda m, x, y: layers.add((y.dtype, torch.get_float32_matmul_precision())))
    objective = one.objective.pair_terms

    def pair_terms(anchor, positive, progress):
        losses.update({anchor.dtype, positive.dtype})
        return objective(anchor, positive, progress)

    one.objective.pair_terms = pair_terms
    values = [one.step(step).total.item() for step in range(5)]
    return values, layers, losses


def test_float32_is_the_default_of_every_scale():
    assert TrainingSpec().precision == "float32"
    for scale in ("smoke", "demo", "laptop", "paper"):
        runs = load_experiment(base_config(), scale=scale).runs.values()
        assert {run.spec.training.precision for run in runs if not run.is_raw} == {"float32"}


def test_float32_is_what_a_run_without_a_precision_does():
    assert watched(trainee())[0] == watched(trainee("float32"))[0]
    assert watched(trainee())[1] == {(torch.float32, "highest")}


def test_bf16_is_in_the_layers_and_nowhere_else():
    one = trainee("bf16")
    values, layers, losses = watched(one)
    assert {dtype for dtype, _ in layers} == {torch.bfloat16}
    assert losses == {torch.float32}
    assert {p.dtype for p in one.encoder.parameters()} == {torch.float32}
    assert {p.grad.dtype for p in one.encoder.parameters() if p.grad is not None} == {torch.float32}
    assert values != watched(trainee("float32"))[0]
    assert values == pytest.approx(watched(trainee("float32"))[0], rel=1e-2)


def test_codes_that_are_scored_are_computed_in_float32():
    observations = torch.randn(50, 4, generator=torch.Generator().manual_seed(0))
    start = [one.codes(observations) for one in (trainee("bf16"), trainee("float32"))]
    assert torch.equal(*start)


def test_tf32_is_allowed_during_steps_alone():
    before = torch.get_float32_matmul_precision()
    _, layers, _ = watched(trainee("tf32"))
    assert layers == {(torch.float32, "high")}
    assert torch.get_float32_matmul_precision() == before


def test_what_fails_in_a_step_leaves_the_precision_as_it_was():
    before = torch.get_float32_matmul_precision()
    with pytest.raises(KeyError), EncoderPrecision("tf32", CPU).step():
        raise KeyError
    assert torch.get_float32_matmul_precision() == before


def test_products_of_the_loss_are_float32_proper_on_a_gpu(monkeypatch):
    class OnGPU:
        is_cuda = True

    with EncoderPrecision("tf32", CPU).step():
        with streaming._full_precision(OnGPU()):
            assert torch.get_float32_matmul_precision() == "highest"
        assert torch.get_float32_matmul_precision() == "high"


@pytest.mark.parametrize("precision", ["bf16", "tf32"])
def test_a_run_in_lower_precision_goes_on_to_the_same_bits(precision):
    whole, first, second = (trainee(precision) for _ in range(3))
    losses = [whole.step(step).total.item() for step in range(10)]
    for step in range(4):
        first.step(step)
    second.load_state(first.state())
    assert [second.step(step).total.item() for step in range(4, 10)] == losses[4:]


def test_an_unknown_precision_names_what_is_allowed():
    with pytest.raises(ConfigError, match=r"training.precision: .*'float32', 'tf32' or 'bf16'"):
        parse(TrainingSpec, {"precision": "fp8"}, "training")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
@pytest.mark.parametrize("precision", ["float32", "tf32", "bf16"])
def test_on_a_gpu_steps_are_near_those_in_float32(precision):
    def losses(name):
        one = trainee(name, device="cuda")
        return [one.step(step).total.item() for step in range(5)]

    assert losses(precision) == pytest.approx(losses("float32"), rel=1e-2)
