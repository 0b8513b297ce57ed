"""Work ahead, and pairs in blocks."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from demix.pairs.common import blocks
from demix.pairs.common.base import Pairs
from demix.pairs.common.blocks import Blocks
from demix.pairs.common.prefetch import Prefetcher
from demix.support.randomness import torch_generator


def test_work_ahead_gives_the_same_results():
    called = []

    def square(number):
        called.append(number)
        return number**2

    with ThreadPoolExecutor(1) as background:
        ahead = Prefetcher(square, background)
        assert [ahead.get(number, then=number + 1) for number in (3, 4, 5)] == [9, 16, 25]
        assert ahead.get(9, then=10) == 81  # another place, as after a resume
    assert called == [3, 4, 5, 6, 9, 10]
    assert Prefetcher(square, None).get(2, then=3) == 4
    assert called[-1] == 2


def own(block, count):
    numbers = torch.randint(100, (count,), generator=torch_generator(0, "pairs", str(block)))
    return Pairs(numbers, numbers)


def with_source(block, count):
    return Pairs(torch.arange(count), -torch.arange(count), source=block + torch.zeros(count))


@pytest.mark.parametrize("draw", [own, with_source])
def test_pairs_of_any_number_come_from_one_stream(draw, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 10)
    whole, parts = Blocks(draw, "cpu").pairs(0, 36), Blocks(draw, "cpu")
    found = [parts.pairs(at, 12) for at in (0, 12, 24)]
    assert torch.equal(torch.cat([part.anchor for part in found]), whole.anchor)
    assert torch.equal(torch.cat([part.positive for part in found]), whole.positive)
    assert all((part.positive is part.anchor) is (draw is own) for part in found)
    if draw is with_source:
        assert whole.source.tolist() == [float(i // 10) for i in range(36)]
    else:
        assert whole.source is None
