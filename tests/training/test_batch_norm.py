"""Batch norm while a network encodes: running averages stay what they are."""

import pytest
import torch
from resnets import images, network

from demix.training.batch_norm import frozen_averages


def averages(module):
    return {name: values.clone() for name, values in module.named_buffers()}


@pytest.mark.parametrize("running", [False, True])
def test_encoding_changes_no_running_average(running):
    made = network()
    made(images())
    before = averages(made)
    with frozen_averages(made, running_averages=running):
        made(images(seed=1))
    assert all(torch.equal(values, before[name]) for name, values in averages(made).items())
    made(images(seed=1))  # training goes on as before
    assert int(made.trunk.bn1.num_batches_tracked) == 2
    assert not torch.equal(made.trunk.bn1.running_mean, before["trunk.bn1.running_mean"])


def test_codes_by_statistics_of_the_batch_depend_on_the_batch_and_by_running_averages_do_not():
    made = network()
    made(images())
    for running in (False, True):
        with torch.no_grad(), frozen_averages(made, running_averages=running):
            alone, among = made(images()[:2]), made(images())[:2]
        assert torch.allclose(alone, among, atol=1e-4) is running
