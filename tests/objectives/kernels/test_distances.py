"""Distances as similarities: adversarial inputs, gradients, and backends that agree."""

import pytest
import torch
from kernels import DIM, every_device, every_exponent, every_kernel, points, value_and_gradients_of

from demix.objectives.dot_infonce import dot_infonce
from demix.objectives.kernels.compiled import compiler_of, lp_kernels
from demix.objectives.kernels.distances import MinusLp, MinusSquaredEuclidean, centred
from demix.objectives.kernels.elementwise import eager_kernels
from demix.objectives.kernels.streaming import streamed_logsumexp
from demix.objectives.lp_infonce import lp_infonce


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
    ours = value_and_gradients_of(lambda a, p: LOSSES[loss](a, p, kernel=kernel), *inputs)
    expected = value_and_gradients_of(lambda a, p: reference(loss, a, p), *(x.double() for x in inputs))
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
    _, *both = value_and_gradients_of(lambda a, p: LOSSES[loss](a, p, kernel=kernel), *inputs)
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
        value_and_gradients_of(lambda a, p: lp_infonce(a, p, exponent=exponent, kernel=kernel), *inputs)
        for _ in range(2)
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
