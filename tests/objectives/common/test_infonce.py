"""InfoNCE, whatever the similarity: golden cases, closed forms, a written-out double loop, gradients, objectives."""

import math

import numpy as np
import pytest
import torch
from losses import (
    SIMILARITIES,
    batch,
    every_convention,
    every_similarity,
    infonce,
    linear_encoder,
    value_and_gradients,
)
from project import GOLDEN
from torch import nn

from demix.objectives.dot_infonce import dot_infonce, dot_infonce_terms
from demix.objectives.lp_infonce import lp_infonce, lp_infonce_terms
from demix.problems.common.batch import Batch
from demix.specs.objectives.common.infonce import AnnealingSpec
from demix.specs.objectives.dot_infonce import DotInfoNCESpec
from demix.specs.objectives.lp_infonce import LpInfoNCESpec
from demix.support.building import build


def written_out(similarity, anchor, positive, *, tau, self_negative, negatives_meet):
    """The loss as the paper defines it, one pair and one coordinate after the other."""

    def s(u, v):
        if similarity is None:
            return sum(x * y for x, y in zip(u, v, strict=True)) / tau
        total = sum(abs(x - y) ** similarity["exponent"] for x, y in zip(u, v, strict=True))
        return -(total if similarity["power"] else total ** (1 / similarity["exponent"])) / tau

    losses = []
    for i, (a, p) in enumerate(zip(anchor, positive, strict=True)):
        m = a if negatives_meet == "anchor" else p
        others = [s(m, b) for j, b in enumerate(anchor) if self_negative or j != i]
        losses.append(-s(a, p) + math.log(sum(math.exp(x) for x in [s(a, p), *others])))
    return losses


def golden_cases():
    arrays = np.load(GOLDEN / "infonce.npz")
    return sorted({key.split("/")[0] for key in arrays if "/" in key})


@pytest.mark.parametrize("case", golden_cases())
def test_the_loss_is_that_of_the_authors_code(case):
    golden = {key.removeprefix(f"{case}/"): torch.from_numpy(a) for key, a in np.load(GOLDEN / "infonce.npz").items()}
    name, tau = case.split("_tau")
    space = "sphere" if name == "dot" else "box"
    anchor, positive = (golden[f"{space}_{which}"].requires_grad_() for which in ("anchor", "positive"))
    if name == "dot":
        alignment, logsumexp = dot_infonce_terms(anchor, positive, tau=float(tau))
    else:
        alignment, logsumexp = lp_infonce_terms(anchor, positive, exponent=int(name[2:]), tau=float(tau))
    loss = alignment + logsumexp
    to_anchor, to_positive = torch.autograd.grad(loss.mean(), [anchor, positive])
    ours = {
        "per_item": loss,
        "value": loss.mean(),
        "grad_anchor": to_anchor,
        "grad_positive": to_positive,
        "align_mean": alignment.mean(),
        "logsumexp_mean": logsumexp.mean(),
    }
    for quantity, tensor in ours.items():
        torch.testing.assert_close(tensor.detach(), golden[quantity], rtol=1e-9, atol=1e-12, msg=quantity)


@every_convention
@every_similarity
def test_equal_candidates_cost_the_log_of_their_number(similarity, convention):
    point = torch.tensor([0.3, -0.2, 0.9], dtype=torch.float64).expand(7, 3)
    candidates = 7 + convention["self_negative"]  # M negatives and the positive
    loss = infonce(similarity, point, point, **convention)
    torch.testing.assert_close(loss, torch.full_like(loss, math.log(candidates)), rtol=1e-14, atol=0)


@every_convention
@every_similarity
def test_a_double_loop_agrees(similarity, convention):
    anchor, positive = batch(n=7, dim=4)
    loss = infonce(similarity, anchor, positive, tau=0.7, **convention)
    expected = written_out(similarity, anchor.tolist(), positive.tolist(), tau=0.7, **convention)
    torch.testing.assert_close(loss, torch.tensor(expected, dtype=torch.float64), rtol=1e-12, atol=1e-12)


@every_convention
@every_similarity
def test_gradients_agree_with_finite_differences(similarity, convention):
    anchor, positive = (x.requires_grad_() for x in batch(seed=3, n=5))
    assert torch.autograd.gradcheck(
        lambda a, p: infonce(similarity, a, p, tau=0.7, **convention), [anchor, positive], eps=1e-6, atol=1e-7
    )


@every_similarity
def test_defaults_are_the_convention_of_the_printed_tables(similarity):
    anchor, positive = batch()
    arguments = {} if similarity is None else {"exponent": similarity["exponent"]}
    default = (dot_infonce if similarity is None else lp_infonce)(anchor, positive, **arguments)
    powered = similarity and similarity | {"power": True}
    printed = infonce(powered, anchor, positive, tau=1.0, self_negative=True, negatives_meet="anchor")
    assert torch.equal(default, printed)


@pytest.mark.parametrize("similarity", SIMILARITIES, ids=str)
def test_only_the_dot_product_and_the_euclidean_distance_are_blind_to_rotations(similarity):
    rotation, _ = torch.linalg.qr(batch(seed=1, n=3)[0])
    anchor, positive = batch()
    before = infonce(similarity, anchor, positive)
    after = infonce(similarity, anchor @ rotation, positive @ rotation)
    assert torch.allclose(before, after, rtol=1e-10) is (similarity is None or similarity["exponent"] == 2)


@every_similarity
def test_a_lone_pair_has_a_closed_form(similarity):
    anchor, positive = batch(n=1)
    own, distance = (torch.zeros(1), -(anchor * positive).sum(-1))
    if similarity is None:
        own = (anchor * anchor).sum(-1)
    else:
        distance = (anchor - positive).abs().pow(similarity["exponent"]).sum(-1)
        distance = distance if similarity["power"] else distance ** (1 / similarity["exponent"])
    with_self = infonce(similarity, anchor, positive)
    torch.testing.assert_close(with_self, torch.nn.functional.softplus(own + distance))


@pytest.mark.parametrize("meet", ["anchor", "positive"])
@every_similarity
def test_a_lone_pair_without_negatives_costs_nothing(similarity, meet):
    results = value_and_gradients(similarity, *batch(n=1), self_negative=False, negatives_meet=meet)
    for result in results:
        torch.testing.assert_close(result, torch.zeros_like(result))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@every_convention
@every_similarity
def test_repeated_points_in_a_batch_have_finite_gradients(similarity, convention, dtype):
    anchor, positive = batch(n=6, dtype=dtype)
    anchor[3], positive[1] = anchor[2], anchor[1]
    anchor[5], positive[4] = anchor[4] + 1e-30, anchor[4]  # as near as can be without being equal
    for result in value_and_gradients(similarity, anchor, positive, **convention):
        assert torch.isfinite(result).all()


@every_similarity
def test_far_points_stay_finite_in_single_precision(similarity):
    anchor, positive = batch(n=6, scale=1000.0, dtype=torch.float32)
    for result in value_and_gradients(similarity, anchor, positive):
        assert torch.isfinite(result).all()


@every_convention
@every_similarity
def test_the_memory_layout_of_the_inputs_does_not_matter(similarity, convention):
    anchor, positive = batch()
    expected = value_and_gradients(similarity, anchor, positive, **convention)
    columns_first = anchor.T.contiguous().T
    every_other = torch.stack([positive, torch.zeros_like(positive)], dim=-1).flatten(1)[:, ::2]
    assert not columns_first.is_contiguous()
    assert not every_other.is_contiguous()
    for ours, theirs in zip(
        value_and_gradients(similarity, columns_first, every_other, **convention), expected, strict=True
    ):
        torch.testing.assert_close(ours, theirs, rtol=1e-13, atol=1e-14)


@every_convention
@every_similarity
def test_either_input_may_be_a_constant(similarity, convention):
    anchor, positive = batch()
    _, to_anchor, to_positive = value_and_gradients(similarity, anchor, positive, **convention)
    weights = torch.linspace(0.5, 2, len(anchor), dtype=anchor.dtype)
    moving = anchor.clone().requires_grad_()
    (infonce(similarity, moving, positive, **convention) @ weights).backward()
    assert torch.equal(moving.grad, to_anchor)
    moving = positive.clone().requires_grad_()
    (infonce(similarity, anchor, moving, **convention) @ weights).backward()
    assert torch.equal(moving.grad, to_positive)
    assert not infonce(similarity, anchor, positive, **convention).requires_grad


@every_convention
@every_similarity
def test_single_precision_stays_single_and_near_double(similarity, convention):
    anchor, positive = batch(n=50, dim=10, dtype=torch.float32)
    single = value_and_gradients(similarity, anchor, positive, **convention)
    double = value_and_gradients(similarity, anchor.double(), positive.double(), **convention)
    for ours, theirs in zip(single, double, strict=True):
        assert ours.dtype == torch.float32
        torch.testing.assert_close(ours.double(), theirs, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("loss", [dot_infonce, lambda a, p, **k: lp_infonce(a, p, exponent=2, **k)], ids=["dot", "lp"])
@pytest.mark.parametrize(
    ("anchor", "positive"),
    [((4, 3), (5, 3)), ((4, 3), (4, 2)), ((4,), (4,)), ((4, 3, 2), (4, 3, 2)), ((0, 3), (0, 3))],
)
def test_shapes_that_are_no_pairs_are_refused_by_name(loss, anchor, positive):
    with pytest.raises(ValueError, match=r"must have one shape \(batch, dim\)") as error:
        loss(torch.zeros(anchor), torch.zeros(positive))
    assert str(anchor) in str(error.value)
    assert str(positive) in str(error.value)


@pytest.mark.parametrize("loss", [dot_infonce, lambda a, p, **k: lp_infonce(a, p, exponent=2, **k)], ids=["dot", "lp"])
@pytest.mark.parametrize("tau", [0.0, -1.0, math.nan])
def test_a_temperature_that_is_not_positive_is_refused(loss, tau):
    with pytest.raises(ValueError, match="tau must be positive"):
        loss(*batch(), tau=tau)


@every_convention
@every_similarity
def test_contrastive_objectives_are_the_mean_of_their_functions(similarity, convention):
    encoder, data = linear_encoder(), batch(n=8, dim=4)
    spec = DotInfoNCESpec if similarity is None else LpInfoNCESpec
    objective = build(spec(tau=0.7, **(similarity or {}), **convention))
    loss = objective(encoder, Batch(*data), progress=0.0)
    expected = infonce(similarity, *map(encoder, data), tau=0.7, **convention).mean()
    torch.testing.assert_close(loss.total, expected, rtol=1e-12, atol=0)
    torch.testing.assert_close(loss.terms["alignment"] + loss.terms["logsumexp"], loss.total.detach())
    assert not any(term.requires_grad for term in loss.terms.values())
    ours, theirs = (torch.autograd.grad(x, list(encoder.parameters())) for x in (loss.total, expected))
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-12)


def test_objectives_default_to_the_printed_convention():
    data = batch()
    identity = nn.Identity()
    dot = build(DotInfoNCESpec())(identity, Batch(*data), 0.0)
    cubic = build(LpInfoNCESpec(exponent=3))(identity, Batch(*data), 0.0)
    torch.testing.assert_close(dot.total, dot_infonce(*data).mean())
    torch.testing.assert_close(cubic.total, lp_infonce(*data, exponent=3).mean())


@pytest.mark.parametrize("spec", [DotInfoNCESpec, lambda **k: LpInfoNCESpec(exponent=1, **k)], ids=["dot", "lp"])
def test_annealing_lends_another_temperature_to_the_first_part_of_training(spec):
    data, identity = Batch(*batch()), nn.Identity()
    annealed = build(spec(tau=0.5, annealing=AnnealingSpec(tau=2.0, until=0.25)))
    start, end = (build(spec(tau=tau))(identity, data, 0.0).total for tau in (2.0, 0.5))
    assert not torch.isclose(start, end)
    for progress, expected in [(0.0, start), (0.2499, start), (0.25, end), (0.9, end)]:
        assert torch.equal(annealed(identity, data, progress).total, expected)


@pytest.mark.parametrize("case", ["dot", "power", "root"])
def test_the_gradient_to_a_trained_temperature_is_right(case):
    generator = torch.Generator().manual_seed(3)
    anchor, positive = torch.rand(2, 6, 3, dtype=torch.float64, generator=generator)

    def loss(tau):
        if case == "dot":
            return dot_infonce(anchor, positive, tau=tau).mean()
        return lp_infonce(anchor, positive, exponent=3, power=case == "power", tau=tau).mean()

    assert torch.autograd.gradcheck(loss, torch.tensor(0.5, dtype=torch.float64, requires_grad=True))
