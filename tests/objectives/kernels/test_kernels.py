"""Backends of the loops over pairs: compiled and eager ones agree, and a machine without a compiler loses nothing."""

import math
import os
import stat
import subprocess
import sys

import pytest
import torch

from demix.objectives import compiled
from demix.objectives.dot_infonce import dot_infonce
from demix.objectives.kernels.compiled import compiler_of, lp_kernels
from demix.objectives.kernels.distances import MinusLp, MinusSquaredEuclidean, centred
from demix.objectives.kernels.elementwise import eager_kernels
from demix.objectives.kernels.streaming import streamed_logsumexp
from demix.objectives.lp_infonce import lp_infonce
from demix.specs import objectives as specs
from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.support.building import build
from demix.training.trainee import Trainee

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU"))]
KERNELS = [
    "eager",
    pytest.param("compiled", marks=pytest.mark.skipif(compiler_of("cpu") is None, reason="no C++ compiler")),
]
DIM = 3

every_kernel = pytest.mark.parametrize("kernel", KERNELS)
every_device = pytest.mark.parametrize("device", DEVICES)
every_exponent = pytest.mark.parametrize("exponent", [1, 2, 3, 1.5])


def points(n, seed=0, dim=DIM, scale=1.0, dtype=torch.float64, device="cpu"):
    generator = torch.Generator().manual_seed(seed)
    return scale * torch.randn(n, dim, dtype=torch.float64, generator=generator).to(device, dtype)


def value_and_gradients(loss, *inputs):
    inputs = [x.detach().requires_grad_() for x in inputs]
    value = loss(*inputs)
    weights = torch.linspace(0.5, 2, len(value), dtype=value.dtype, device=value.device)
    return value.detach(), *torch.autograd.grad(value @ weights, inputs)


@every_device
@every_kernel
def test_the_backend_that_was_asked_for_is_the_one_that_runs(kernel, device):
    assert lp_kernels(kernel, 1, DIM, device).name.startswith(kernel)


@pytest.mark.parametrize("power", [True, False])
@every_exponent
@every_kernel
@every_device
def test_gradients_agree_with_finite_differences(kernel, exponent, power, device):
    convention = {"exponent": exponent, "power": power, "kernel": kernel, "tau": 0.7}
    for more in ({}, {"self_negative": False}, {"negatives_meet": "positive"}):
        anchor, positive = (points(6, seed, device=device).requires_grad_() for seed in (1, 2))
        assert torch.autograd.gradcheck(
            lambda a, p, more=more: lp_infonce(a, p, **convention, **more), [anchor, positive], eps=1e-6, atol=1e-7
        )


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


@every_kernel
@pytest.mark.parametrize("exponent", [1, 3])
def test_equal_coordinates_have_no_distance_and_no_slope(kernel, exponent):
    kernels = lp_kernels(kernel, exponent, DIM, "cpu")
    same = torch.tensor([[0.1, -3e7, 1e-42], [0.0, -0.0, 5.0]]).T.contiguous()
    assert torch.equal(kernels.power_sum(same, same).diagonal(), torch.zeros(2))
    for slopes in kernels.weighted_slopes(same, same, torch.eye(2)):
        assert torch.equal(slopes, torch.zeros(DIM, 2))


def cases(dtype):
    """Inputs that break careless formulas: name and (anchor, positive)."""
    eye = torch.eye(DIM, dtype=dtype)
    usual = points(5, dtype=dtype)
    return {
        "identical points": (usual[:1].repeat(5, 1), usual[:1].repeat(5, 1)),
        "two clusters far apart": (usual + 1e4 * (torch.arange(5) % 2)[:, None], usual),
        "huge distances": (1e6 * usual, -1e6 * usual),
        "tiny distances": (1e-30 * usual, -1e-30 * usual),
        "one-hot": (eye[[0, 1, 2, 0]], eye[[0, 2, 1, 1]]),
        "zero vectors": (torch.zeros(4, DIM, dtype=dtype), torch.zeros(4, DIM, dtype=dtype)),
        "one zero vector": (torch.cat([usual[:2], 0 * usual[:1]]), usual[:3]),
        "batch of one": (usual[:1], usual[1:2]),
        "batch of two": (usual[:2], usual[2:4]),
        "not contiguous": (usual.T.contiguous().T, torch.stack([usual, usual], -1)[..., 1]),
    }


LOSSES = {
    "dot": lambda a, p, kernel, **more: dot_infonce(a, p, **more),
    **{
        f"p = {exponent}": lambda a, p, exponent=exponent, **more: lp_infonce(a, p, exponent=exponent, **more)
        for exponent in (1, 2, 3)
    },
}


def reference(name, anchor, positive):
    """The loss of every pair from the whole matrix of similarities."""
    if name == "dot":
        own, matrix = (anchor * positive).sum(-1), anchor @ anchor.T
    else:
        exponent = int(name[-1])
        own = -(anchor - positive).abs().pow(exponent).sum(-1)
        matrix = -(anchor[:, None] - anchor[None]).abs().pow(exponent).sum(-1)
    return torch.cat([own[:, None], matrix], 1).logsumexp(1) - own


@pytest.mark.parametrize("case", cases(torch.float64))
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("loss", LOSSES)
@every_kernel
def test_adversarial_inputs(kernel, loss, dtype, case):
    inputs = cases(dtype)[case]
    ours = value_and_gradients(lambda a, p: LOSSES[loss](a, p, kernel=kernel), *inputs)
    expected = value_and_gradients(lambda a, p: reference(loss, a, p), *(x.double() for x in inputs))
    digits = torch.finfo(dtype).eps * 100
    largest = max(1.0, *(float(x.double().square().sum(-1).max()) for x in inputs))
    assert torch.isfinite(torch.stack([x.sum() for x in ours])).all()
    # p = 2 loses the digits that |a|^2 + |b|^2 takes; the others are as good as the numbers allow
    lost = digits * largest if loss == "p = 2" else digits
    torch.testing.assert_close(ours[0].double(), expected[0], rtol=digits, atol=lost)
    if loss != "p = 2" or largest < 1e3:
        for one, other in zip(ours[1:], expected[1:], strict=True):
            torch.testing.assert_close(one.double(), other, rtol=digits, atol=digits * max(1, float(other.abs().max())))


@every_kernel
@pytest.mark.parametrize("loss", LOSSES)
def test_a_constant_input_gets_no_gradient_and_changes_none(loss, kernel):
    inputs = points(40, 1), points(40, 2)
    _, *both = value_and_gradients(lambda a, p: LOSSES[loss](a, p, kernel=kernel), *inputs)
    weights = torch.linspace(0.5, 2, 40, dtype=torch.float64)
    for moving in (0, 1):
        arguments = [x.clone().requires_grad_(place == moving) for place, x in enumerate(inputs)]
        (LOSSES[loss](*arguments, kernel=kernel) @ weights).backward()
        assert torch.equal(arguments[moving].grad, both[moving])
        assert arguments[1 - moving].grad is None


@pytest.mark.parametrize("shift", [0.0, 100.0])
@pytest.mark.parametrize("exponent", [1, 2, 3])
@every_device
def test_in_single_precision_backends_agree_at_the_papers_batch(exponent, shift, device):
    codes = 4 * torch.rand(6144, DIM, generator=torch.Generator().manual_seed(0)).to(device) + shift
    tolerance = 1e-5 * float((codes - codes.mean(0)).square().sum(-1).max())
    choices = ["eager"] if compiler_of(torch.device(device).type) is None else ["eager", "compiled"]
    similarities = [MinusLp(exponent, True, lp_kernels(choice, exponent, DIM, device)) for choice in choices]
    if exponent == 2:
        similarities.append(MinusSquaredEuclidean())
    results = []
    for similarity in similarities:
        (moved,) = centred(codes)
        moved.requires_grad_()
        values = streamed_logsumexp(moved, moved, similarity, mask_self=False)
        results.append((values.detach(), torch.autograd.grad(values.sum(), moved)[0]))
    for values, gradient in results[1:]:
        torch.testing.assert_close(values, results[0][0], rtol=0, atol=tolerance)
        torch.testing.assert_close(gradient, results[0][1], rtol=0, atol=tolerance)
    assert len(results) > 1 or len(choices) == 1


@every_kernel
@every_exponent
def test_two_calls_give_identical_bits(kernel, exponent):
    inputs = [points(700, seed, dtype=torch.float32) for seed in (1, 2)]
    first, second = (
        value_and_gradients(lambda a, p: lp_infonce(a, p, exponent=exponent, kernel=kernel), *inputs) for _ in range(2)
    )
    for one, other in zip(first, second, strict=True):
        assert torch.equal(one, other)


def test_far_pairs_do_not_make_arithmetic_with_subnormal_numbers():
    """exp(-100) is subnormal in single precision; the weights of such pairs stay normal numbers."""
    far = torch.tensor([[0.0], [100.0], [200.0]])
    seen = []

    class Spy(MinusLp):
        def gradients(self, query, key, weights):
            seen.append(weights.clone())
            return super().gradients(query, key, weights)

    far.requires_grad_()
    streamed_logsumexp(far, far, Spy(1, True, eager_kernels(1)), mask_self=False).sum().backward()
    weights = torch.cat([w.flatten() for w in seen])
    assert ((weights == 0) | (weights.abs() > torch.finfo(torch.float32).tiny)).all()
    assert far.grad.abs().max() < 1e-20


# Machines without a compiler


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


# In a run


def run_spec(objective, **training):
    pairs = {"conditional": {"kind": "laplace", "scale": 0.05}}
    data = {
        "problem": {"space": "box", "marginal": "uniform", "dim": DIM, "mixing": {"candidates": 10}, **pairs},
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
    assert specs.LpInfoNCE(exponent=1).kind == "lp_infonce"
    assert run_spec({"kind": "lp_infonce", "exponent": 1}).training.kernel == "eager"


@pytest.mark.parametrize("kernel", KERNELS[1:])
def test_one_compiled_function_serves_all_batches(kernel):
    def loss(batch):
        anchor, positive = (points(batch, seed, dtype=torch.float32) for seed in (1, 2))
        for more in ({}, {"self_negative": False}, {"negatives_meet": "positive"}):
            value_and_gradients(
                lambda a, p, more=more: lp_infonce(a, p, exponent=1, kernel=kernel, **more), *(anchor, positive)
            )

    loss(70)
    with torch._dynamo.config.patch(error_on_recompile=True):
        for batch in (1, 2, 3, 257, 513, 1024):
            loss(batch)
