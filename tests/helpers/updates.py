"""Optimizer steps of small modules."""

from torch import nn

from demix.specs.training import TrainingSpec
from demix.training.update import Update


def module():
    return nn.ModuleDict({"encoder": nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 2)), "objective": nn.Module()})


def update(trained=None, **fields):
    return Update(TrainingSpec(**fields), trained or module())
