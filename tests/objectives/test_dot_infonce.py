"""InfoNCE with the dot product: what true latents on the sphere cost."""

import math

import pytest
import torch
from losses import (
    LAPLACE,
    NORMAL,
    WIDE_NORMAL,
    true_pairs,
)

from demix.objectives.dot_infonce import dot_infonce


@pytest.mark.parametrize(
    ("marginal", "conditional", "value"),
    [
        ("uniform", {"kind": "vmf", "concentration": 1}, 8.674),
        ("uniform", {"kind": "vmf", "concentration": 10}, 8.139),
        ("uniform", LAPLACE, 7.795),
        ("uniform", NORMAL, 7.784),
        (WIDE_NORMAL, LAPLACE, 7.876),
        (WIDE_NORMAL, NORMAL, 7.866),
    ],
)
@torch.no_grad()
def test_true_latents_on_the_sphere_reach_the_loss_of_the_authors_code(marginal, conditional, value):
    loss = dot_infonce(*true_pairs("sphere", marginal, conditional))
    noise = 3 * loss.std().item() / math.sqrt(len(loss))
    assert loss.mean().item() == pytest.approx(value, abs=0.003 + noise)
    assert noise < 0.02
