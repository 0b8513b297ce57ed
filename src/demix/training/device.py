"""Which device a run trains on."""

import os

import torch

from demix.support.errors import DemixError
from demix.workflow.gpus import hold_one


def choose_device(name: str) -> torch.device:
    """`auto` takes a GPU if there is one; `cuda` insists; `cpu` never looks.

    In a job of a cluster the GPU is the one that the job was given. Elsewhere every process takes one of its own, and
    waits for it where all are taken.

    Raises:
        DemixError: the device is `cuda` and there is none.
    """
    if name == "cpu" or (name == "auto" and not torch.cuda.is_available()):
        return torch.device("cpu")
    if not torch.cuda.is_available():
        raise DemixError(
            "device cuda: no GPU is visible here; add --config device=cpu to train on the CPU all the same"
        )
    if "SLURM_JOB_ID" in os.environ:
        return torch.device("cuda", 0)
    return torch.device("cuda", hold_one([_name(index) for index in range(torch.cuda.device_count())]))


def _name(index: int) -> str:
    """What identifies a GPU on this machine, whatever CUDA_VISIBLE_DEVICES calls it."""
    return str(torch.cuda.get_device_properties(index).uuid)
