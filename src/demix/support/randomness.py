"""Named, seeded random generators: nothing in demix reads or sets global random state."""

import hashlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch


def stream_seed(seed: int, *name: str) -> int:
    """A 63-bit seed for one purpose of one run, such as (3, "data"). Other names give independent streams."""
    text = "/".join([str(seed), *name])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") >> 1


def torch_generator(seed: int, *name: str, device: "torch.device | str" = "cpu") -> "torch.Generator":
    """A torch generator on `device` for one named purpose."""
    import torch  # commands that draw with numpy alone never load it

    return torch.Generator(device).manual_seed(stream_seed(seed, *name))


def numpy_generator(seed: int, *name: str) -> np.random.Generator:
    """A numpy generator for one named purpose."""
    return np.random.default_rng(stream_seed(seed, *name))
