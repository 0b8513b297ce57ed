"""Batch norm in networks that are asked for codes and must not change by it."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm


@contextmanager
def asked(network: nn.Module, running_averages: bool) -> Iterator[None]:
    """While it lasts the network gives codes and its running averages stay what they are.

    Args:
        network: in training mode, as ever.
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
