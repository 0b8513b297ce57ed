"""A whole training step with the batch of the papers."""

import pytest
import torch

from demix.bench import measure, step

CPU = torch.device("cpu")


def nothing():
    pass


def step_of_the_papers_size(p):
    one = step.trainee(p, 6144, "eager", CPU)
    return lambda: one.step(0)


@pytest.mark.skipif(not measure.CLEAR_REFS.exists(), reason="the system keeps no resettable count of memory")
def test_a_step_with_the_papers_batch_fits_a_small_machine():
    (peak,) = measure.peaks(step_of_the_papers_size, [("1",)], nothing, CPU, threads=1)
    assert peak < 700
