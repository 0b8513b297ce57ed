"""AnInfoNCE: the authors' values, cases worked out by hand, and the metric as a trained parameter."""

import math

import numpy as np
import project
import pytest
import torch
from small_runs import small_trainee
from torch import nn

import demix
from demix.objectives.aninfonce import VARIANTS, aninfonce, aninfonce_terms
from demix.objectives.common.base import Surroundings
from demix.objectives.dot_infonce import dot_infonce
from demix.problems.common.batch import Batch
from demix.specs.objectives.aninfonce import AnInfoNCESpec
from demix.support.building import build

GOLDEN = project.GOLDEN / "aninfonce.npz"


def pairs(n=6, dim=3, seed=0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    draw = [nn.functional.normalize(torch.randn(n, dim, dtype=dtype, generator=generator), dim=-1) for _ in range(2)]
    return *draw, torch.rand(dim, dtype=dtype, generator=generator) + 0.5


def test_value_and_gradients_are_those_of_the_authors_code():
    golden = {key: torch.from_numpy(array) for key, array in np.load(GOLDEN).items()}
    anchor, positive, raw = (golden[key].requires_grad_() for key in ("sphere_anchor", "sphere_positive", "lambda_raw"))
    metric = nn.functional.softplus(raw)
    torch.testing.assert_close(metric.detach(), golden["lambda_effective"], rtol=1e-12, atol=0)
    alignment, logsumexp = aninfonce_terms(anchor, positive, metric, variant="code")
    value = (alignment + logsumexp).mean()
    gradients = torch.autograd.grad(value, [anchor, positive, raw])
    ours = [value, alignment.mean(), logsumexp.mean(), *gradients]
    names = ["value", "positive_mean", "logsumexp_mean", "grad_anchor", "grad_positive", "grad_lambda_raw"]
    for tensor, name in zip(ours, names, strict=True):
        torch.testing.assert_close(tensor.detach(), golden[name], rtol=1e-8, atol=1e-12, msg=name)


@pytest.mark.parametrize(
    ("convention", "expected"),
    [
        ({"variant": "code"}, 0.614340),
        ({"variant": "symmetric"}, 0.621224),
        ({"variant": "paper"}, 0.295150),
        ({"variant": "paper", "half": False}, 0.111704),
    ],
    ids=str,
)
def test_two_pairs_worked_out_by_hand(convention, expected):
    anchor = torch.tensor([[1.0, 0.0], [0.0, 1.0]], dtype=torch.float64)
    positive = torch.tensor([[0.6, 0.8], [-0.6, 0.8]], dtype=torch.float64)
    metric = torch.tensor([2.0, 1.0], dtype=torch.float64)
    assert aninfonce(anchor, positive, metric, **convention).mean().item() == pytest.approx(expected, abs=1e-6)


def written_out(anchor, positive, metric, half):
    """The symmetric loss of every pair, one term after the other."""

    def q(u, v):
        return -sum(m * (x - y) ** 2 for m, x, y in zip(metric, u, v, strict=True)) / (2 if half else 1)

    losses = []
    for i, (a, b) in enumerate(zip(anchor, positive, strict=True)):
        views = []
        for own in (a, b):
            others = [q(own, x[j]) for x in (anchor, positive) for j in range(len(anchor)) if j != i]
            views.append(math.log(sum(math.exp(s) for s in [q(a, b), *others])) - q(a, b))
        losses.append(sum(views) / 2)
    return losses


@pytest.mark.parametrize("half", [True, False])
def test_the_symmetric_loss_is_the_loop_written_out(half):
    anchor, positive, metric = pairs()
    expected = written_out(anchor.tolist(), positive.tolist(), metric.tolist(), half)
    ours = aninfonce(anchor, positive, metric, half=half)
    torch.testing.assert_close(ours, torch.tensor(expected, dtype=torch.float64), rtol=1e-12, atol=0)


def test_the_symmetric_loss_does_not_care_which_sample_is_the_anchor():
    anchor, positive, metric = pairs()
    torch.testing.assert_close(aninfonce(anchor, positive, metric), aninfonce(positive, anchor, metric))
    assert not torch.allclose(
        aninfonce(anchor, positive, metric, variant="code"), aninfonce(positive, anchor, metric, variant="code")
    )


@pytest.mark.parametrize("unit_norm", [True, False])
@pytest.mark.parametrize("variant", VARIANTS)
def test_gradients_agree_with_finite_differences(variant, unit_norm):
    inputs = [x.requires_grad_() for x in pairs(n=4)]
    assert torch.autograd.gradcheck(
        lambda a, p, m: aninfonce(a, p, m, variant=variant, unit_norm=unit_norm), inputs, eps=1e-6, atol=1e-7
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_equal_codes_cost_the_log_of_the_number_of_terms(variant):
    point = torch.eye(1, 3, dtype=torch.float64).expand(5, 3)
    loss = aninfonce(point, point, torch.ones(3, dtype=torch.float64), variant=variant)
    torch.testing.assert_close(loss, torch.full_like(loss, math.log(5 if variant == "paper" else 9)))


def test_an_isotropic_metric_is_infonce_with_the_dot_product():
    anchor, positive, _ = pairs(n=20)
    metric = torch.full((3,), 1 / 0.3, dtype=torch.float64)
    expected = dot_infonce(anchor, positive, tau=0.3, self_negative=False)
    torch.testing.assert_close(aninfonce(anchor, positive, metric, variant="paper"), expected)


def test_lengths_do_not_matter_unless_the_loss_has_no_unit_norm():
    anchor, positive, metric = pairs()
    torch.testing.assert_close(aninfonce(3 * anchor, positive / 2, metric), aninfonce(anchor, positive, metric))
    plain = aninfonce(3 * anchor, positive / 2, metric, unit_norm=False)
    assert not torch.allclose(plain, aninfonce(anchor, positive, metric))


def test_a_lone_pair_costs_nothing():
    for variant in VARIANTS:
        anchor, positive, metric = (x.requires_grad_() for x in pairs(n=1))
        loss = aninfonce(anchor, positive, metric, variant=variant)
        assert loss.item() == pytest.approx(0, abs=1e-12)
        assert all(g.abs().max() < 1e-12 for g in torch.autograd.grad(loss.sum(), [anchor, positive, metric]))


def test_bad_arguments_are_refused_by_name():
    anchor, positive, metric = pairs()
    with pytest.raises(ValueError, match="variant is one of symmetric, code, paper, got 'best'"):
        aninfonce(anchor, positive, metric, variant="best")
    with pytest.raises(ValueError, match=r"metric must have shape \(3,\), got \(2,\)"):
        aninfonce(anchor, positive, metric[:2])
    with pytest.raises(ValueError, match="metric must be positive"):
        aninfonce(anchor, positive, metric - metric)
    assert demix.aninfonce is aninfonce


# As a training objective


def trainee(**objective):
    rates = {"raw_metric": 10} if objective.get("learnable", True) else {}
    training = {"steps": 5, "batch_size": 32, "learning_rate": 1e-3, "rate_factors": rates}
    return small_trainee("sphere", "sphere", {"kind": "aninfonce", **objective}, **training)


def test_the_metric_starts_near_softplus_of_zero_and_is_trained_at_its_own_rate():
    ours = trainee()
    start = ours.objective.metric.detach().clone()
    assert start.shape == (4,)
    assert ((start > 0.5) & (start < 0.9)).all()
    assert start.std() > 0
    assert torch.equal(start, trainee().objective.metric)
    ours.step(0)
    moved = (ours.objective.raw_metric.detach() - torch.log(torch.expm1(start))).abs()
    torch.testing.assert_close(moved, torch.full((4,), 1e-2), rtol=1e-2, atol=0)


def test_a_fixed_metric_stays_where_it_starts():
    ours = trainee(metric=2.5, learnable=False)
    for step in range(3):
        ours.step(step)
    torch.testing.assert_close(ours.objective.metric, torch.full((4,), 2.5))


@pytest.mark.parametrize("start", [0.01, 1.0, 30.0, 500.0])
def test_a_metric_starts_where_it_is_told(start):
    torch.testing.assert_close(trainee(metric=start).objective.metric.detach(), torch.full((4,), start))


def test_the_objective_is_the_mean_of_the_loss():
    objective = build(AnInfoNCESpec(variant="code", half=False))
    objective.set_up(Surroundings("eager", (3,), 3, torch.device("cpu"), 1))
    anchor, positive, _ = pairs(dtype=torch.float32)
    loss = objective(nn.Identity(), Batch(anchor, positive), 0.0)
    expected = aninfonce(anchor, positive, objective.metric, variant="code", half=False).mean()
    torch.testing.assert_close(loss.total, expected)
    torch.testing.assert_close(loss.terms["alignment"] + loss.terms["logsumexp"], loss.total.detach())


def test_the_state_of_a_run_holds_its_metric():
    ours, other = trainee(), trainee()
    ours.step(0)
    other.load_state(ours.state())
    assert torch.equal(ours.objective.raw_metric, other.objective.raw_metric)
    assert ours.step(1).total.item() == other.step(1).total.item()
