"""Batch norm while a network encodes: its running averages must not change by it."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm


@contextmanager
def frozen_averages(network: nn.Module, running_averages: bool) -> Iterator[None]:
    """Encoding without updating running averages, while it lasts; the network is in training mode again afterwards.

    Args:
        network: in training mode.
        running_averages: normalise by them (evaluation mode); else by the statistics of each batch, as the authors'
            code does, which never leaves training mode.
    """
    layers = [layer for layer in network.modules() if isinstance(layer, _BatchNorm)]
    try:
        if running_averages:
            network.eval()
        else:
            for layer in layers:
                layer.track_running_stats = False
        yield
    finally:
        network.train()
        for layer in layers:
            layer.track_running_stats = True
