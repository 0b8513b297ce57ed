"""L_AU of the workshop paper: the authors' terms, hand checks, and what it has to do with InfoNCE."""

import math

import numpy as np
import pytest
import torch
from project import GOLDEN

from demix.objectives.align_uniform import AlignUniform, align_uniform, align_uniform_terms
from demix.objectives.common.infonce import per_pair_terms
from demix.problems.common.batch import Batch

H = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]], dtype=torch.float64)
PARTNER = torch.tensor([[0.0, 1.0], [0.0, 1.0], [0.0, -1.0]], dtype=torch.float64)


@pytest.mark.parametrize("exponent", [1.0, 2.0])
def test_alignment_and_uniformity_are_those_of_the_authors_code(exponent):
    golden = {key: torch.from_numpy(array) for key, array in np.load(GOLDEN / "align_uniform.npz").items()}
    alignment, uniformity = align_uniform_terms(golden["anchor"], golden["positive"], exponent=exponent)
    torch.testing.assert_close(alignment.mean(), golden[f"align_p{exponent}"], rtol=1e-9, atol=0)
    torch.testing.assert_close(uniformity.mean(), golden[f"uniform_p{exponent}"], rtol=1e-9, atol=0)


@pytest.mark.parametrize(
    ("exponent", "self_negative", "uniformity"),
    [(1, True, -0.859068), (2, True, -0.923476), (1, False, -2.0), (2, False, -2.377479)],
)
def test_the_terms_can_be_checked_by_hand(exponent, self_negative, uniformity):
    alignment, ours = align_uniform_terms(H, PARTNER, exponent=exponent, self_negative=self_negative)
    assert float(alignment.mean()) == pytest.approx(4 / 3)
    assert float(ours.mean()) == pytest.approx(uniformity, abs=1e-6)


@pytest.mark.parametrize(
    ("alpha", "exponent", "value"),
    [(0.5, 1, 0.237133), (0.5, 2, 0.204929), (0.9, 1, -0.639828), (0.9, 2, -0.697795)],
)
def test_alpha_weighs_uniformity(alpha, exponent, value):
    assert float(align_uniform(H, PARTNER, alpha=alpha, exponent=exponent).mean()) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("exponent", [1, 2, 3])
def test_twice_the_even_mixture_is_infonce_with_a_mean_and_without_the_positive(exponent):
    generator = torch.Generator().manual_seed(0)
    h, partner = (torch.randn(20, 4, generator=generator, dtype=torch.float64) for _ in range(2))
    distances = (h[:, None] - h[None]).abs().pow(exponent).sum(-1)
    negatives = torch.logsumexp(-distances, dim=1) - math.log(20)
    alignment, _ = per_pair_terms(-(h - partner).abs().pow(exponent).sum(-1), negatives)
    ours = align_uniform(h, partner, alpha=0.5, exponent=exponent)
    torch.testing.assert_close(2 * ours, alignment + negatives)


@pytest.mark.parametrize("exponent", [1, 2])
def test_gradients_are_those_of_the_formula(exponent):
    generator = torch.Generator().manual_seed(1)
    h, partner = (torch.randn(6, 3, generator=generator, dtype=torch.float64) for _ in range(2))
    h.requires_grad_()
    ours = torch.autograd.grad(align_uniform(h, partner, alpha=0.3, exponent=exponent).mean(), h)[0]
    away = (h[:, None] - h[None]).abs().pow(exponent).sum(-1)
    written = 0.3 * torch.log(torch.exp(-away).mean(1)) + 0.7 * (h - partner).abs().pow(exponent).sum(-1)
    torch.testing.assert_close(ours, torch.autograd.grad(written.mean(), h)[0])


def test_the_objective_is_the_mean_and_can_leave_out_the_last_code():
    batch = Batch(anchor=H, positive=PARTNER)
    fields = {"alpha": 0.5, "exponent": 1.0, "self_negative": True}
    whole = AlignUniform(**fields, drop_last=False)(lambda x: x, batch, 0.0)
    assert float(whole.total) == pytest.approx(0.237133, abs=1e-6)
    assert float(whole.terms["alignment"]) == pytest.approx(4 / 3)
    cut = AlignUniform(**fields, drop_last=True)(lambda x: x, batch, 0.0)
    first = align_uniform(H[:, :1], PARTNER[:, :1], alpha=0.5, exponent=1).mean()
    torch.testing.assert_close(cut.total, first)


@pytest.mark.parametrize("changed", [{"alpha": 0.0}, {"alpha": 1.0}, {"exponent": 0.5}])
def test_impossible_settings_are_refused(changed):
    with pytest.raises(ValueError, match=r"got (0|1)"):
        align_uniform(H, PARTNER, **{"alpha": 0.5, "exponent": 1} | changed)
