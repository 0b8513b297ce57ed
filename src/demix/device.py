"""Which device a run trains on."""

import torch

from demix.errors import DemixError


def choose_device(name: str) -> torch.device:
    """`auto` takes a GPU if there is one; `cuda` insists; `cpu` never looks.

    Raises:
        DemixError: `cuda` was asked for and there is none.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name == "cuda" and not torch.cuda.is_available():
        raise DemixError(
            "device cuda: no GPU is visible here; add --config device=cpu to train on the CPU all the same"
        )
    return torch.device(name)
