"""What the losses are held against computes the same."""

from itertools import product

import pytest
import torch

from demix.bench import naive
from demix.objectives.dot_infonce import dot_infonce
from demix.objectives.lp_infonce import lp_infonce

WAYS = [
    (p, similarities)
    for p, similarities in product(
        ["dot", "1", "2", "3"], [naive.by_broadcast, naive.by_matrix_product, naive.by_cdist]
    )
    if (p, similarities) != ("dot", naive.by_cdist)
]


@pytest.mark.parametrize(("p", "similarities"), WAYS, ids=lambda value: getattr(value, "__name__", value))
def test_the_naive_losses_are_ours(p, similarities):
    generator = torch.Generator().manual_seed(0)
    anchor, positive = (torch.randn(20, 4, dtype=torch.float64, generator=generator) for _ in range(2))
    expected = dot_infonce(anchor, positive) if p == "dot" else lp_infonce(anchor, positive, exponent=int(p))
    torch.testing.assert_close(naive.naive_infonce(p, anchor, positive, similarities), expected)
