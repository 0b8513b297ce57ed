"""Compiled loops: they agree with the eager ones, and a machine without a compiler loses nothing."""

import math
import os
import stat
import subprocess
import sys

import pytest
import torch
from kernels import DIM, KERNELS, every_device, every_exponent, every_kernel, points, value_and_gradients_of

from demix.objectives.kernels import compiled
from demix.objectives.kernels.compiled import compiler_of, lp_kernels
from demix.objectives.kernels.elementwise import eager_kernels
from demix.objectives.lp_infonce import lp_infonce
from demix.specs.base import parse
from demix.specs.objectives.lp_infonce import LpInfoNCESpec
from demix.specs.run import RunSpec
from demix.support.building import build
from demix.training.trainee import Trainee


@every_device
@every_kernel
def test_the_declared_backend_is_the_one_that_runs(kernel, device):
    assert lp_kernels(kernel, 1, DIM, device).name.startswith(kernel)


@pytest.mark.parametrize("batch", [1, 2, 3, 70, 600])
@every_exponent
@every_device
@pytest.mark.parametrize("kernel", KERNELS[1:])
def test_compiled_and_eager_kernels_agree(kernel, exponent, batch, device):
    query, key = points(batch, 1, device=device).T, points(batch, 2, device=device).T
    weights = torch.sin(query[0, :, None] + 7 * key[1])
    ours, theirs = lp_kernels(kernel, exponent, DIM, device), eager_kernels(exponent)
    torch.testing.assert_close(ours.power_sum(query, key), theirs.power_sum(query, key), rtol=1e-12, atol=1e-13)
    for one, other in zip(
        ours.weighted_slopes(query, key, weights), theirs.weighted_slopes(query, key, weights), strict=True
    ):
        torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-11)


@pytest.fixture
def nothing_compiled_yet():
    compiled._compiled.cache_clear()
    yield
    compiled._compiled.cache_clear()


@pytest.mark.usefixtures("nothing_compiled_yet")
def test_without_a_compiler_the_loss_is_the_eager_one_and_says_so(monkeypatch, capsys):
    monkeypatch.setenv("CXX", "no-such-compiler")
    kernels = lp_kernels("compiled", 1, DIM, "cpu")
    assert kernels.name == "eager"
    assert "there is no compiler for cpu here; the loss runs eagerly" in capsys.readouterr().err
    a, p = points(5, 1), points(5, 2)
    assert torch.equal(lp_infonce(a, p, exponent=1, kernel="compiled"), lp_infonce(a, p, exponent=1))


def in_a_fresh_process(code, **environment):
    """What the code prints on standard output and standard error; torch remembers the compiler it has found."""
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | environment
    )
    return answer.stdout.strip(), answer.stderr


def test_a_compiler_that_does_not_work_is_no_error_either(tmp_path):
    broken = tmp_path / "g++"
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "broken 1.0" && exit 0\nexit 1\n')
    broken.chmod(broken.stat().st_mode | stat.S_IXUSR)
    code = "from demix.objectives.kernels.compiled import lp_kernels; print(lp_kernels('compiled', 1, 3, 'cpu').name)"
    name, errors = in_a_fresh_process(code, CXX=str(broken), TORCHINDUCTOR_CACHE_DIR=str(tmp_path / "cache"))
    assert name == "eager"
    assert "kernel compiled: broken 1.0 does not work (" in errors


def test_the_eager_kernels_never_load_the_compiler():
    code = (
        "import sys, torch; from demix.objectives.lp_infonce import lp_infonce; "
        "x = torch.ones(4, 3, requires_grad=True); lp_infonce(x, x, exponent=1).sum().backward(); "
        "print([name for name in ('torch._dynamo', 'torch._inductor', 'triton') if name in sys.modules])"
    )
    assert in_a_fresh_process(code)[0] == "[]"


def test_an_unknown_kernel_is_refused_by_name():
    with pytest.raises(ValueError, match="kernel is eager or compiled, got 'fast'"):
        lp_infonce(points(3), points(3), exponent=1, kernel="fast")


def run_spec(objective, **training):
    pairs = {"conditional": {"kind": "laplace", "scale": 0.05}}
    data = {
        "problem": {"space": "box", "marginal": "uniform", "dim": DIM, "generator": {"candidates": 10}, **pairs},
        "model": {"output": "box", "objective": objective, "encoder": {"kind": "mlp", "hidden": [4]}},
        "training": {"steps": 4, "batch_size": 70, "learning_rate": 0.01, **training},
    }
    return parse(RunSpec, data, "run")


def trained(spec):
    trainee = Trainee(spec, 0, build(spec.problem, seed=0))
    losses = [trainee.step(step).total.item() for step in range(4)]
    return trainee, losses


@pytest.mark.parametrize(
    ("objective", "kernel", "backend"),
    [
        ({"kind": "lp_infonce", "exponent": 1}, "eager", "eager"),
        ({"kind": "lp_infonce", "exponent": 2}, "compiled", "eager"),
        ("dot_infonce", "compiled", "eager"),
        ("mean_squared_error", "compiled", "eager"),
        ("aninfonce", "compiled", "eager"),
    ],
)
def test_a_run_knows_its_backend(objective, kernel, backend):
    trainee, losses = trained(run_spec(objective, kernel=kernel))
    assert trainee.backend == backend
    assert all(map(math.isfinite, losses))


@pytest.mark.parametrize("kernel", KERNELS[1:])
def test_a_compiled_run_names_the_compiler_and_is_the_eager_one_but_for_digits(kernel):
    objective = {"kind": "lp_infonce", "exponent": 1}
    (ours, our_losses), (_, losses) = (trained(run_spec(objective, kernel=choice)) for choice in (kernel, "eager"))
    assert ours.backend == f"compiled with {compiler_of('cpu')}"
    assert our_losses == pytest.approx(losses, rel=1e-5)
    assert trained(run_spec(objective, kernel=kernel))[1] == our_losses


def test_specs_without_a_kernel_are_eager():
    assert LpInfoNCESpec(exponent=1).kind == "lp_infonce"
    assert run_spec({"kind": "lp_infonce", "exponent": 1}).training.kernel == "eager"


@pytest.mark.parametrize("kernel", KERNELS[1:])
def test_one_compiled_function_serves_all_batches(kernel):
    def loss(batch):
        anchor, positive = (points(batch, seed, dtype=torch.float32) for seed in (1, 2))
        for more in ({}, {"self_negative": False}, {"negatives_meet": "positive"}):
            value_and_gradients_of(
                lambda a, p, more=more: lp_infonce(a, p, exponent=1, kernel=kernel, **more), *(anchor, positive)
            )

    loss(70)
    with torch._dynamo.config.patch(error_on_recompile=True):
        for batch in (1, 2, 3, 257, 513, 1024):
            loss(batch)
