"""Freed memory that stays with the process."""

import ctypes
import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
import torch
from demix.training.memory import keep_freed_memory

assert sys.argv[1] == "no" or keep_freed_memory()
for _ in range(20):  # until the pieces have found their places
    torch.ones(2**24)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    torch.ones(2**24)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def page_faults(kept):
    """Of ten tensors of 64 MiB, made and freed one after the other."""
    command = [sys.executable, "-c", PROGRAM, kept]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "gnu_get_libc_version"), reason="another C library than glibc")
def test_a_freed_tensor_is_not_fetched_from_the_system_again():
    assert page_faults("kept") < page_faults("no") / 10
