"""What decides the last bits of a result beside its key and seed: the device and how it is used."""

from typing import Any

import torch

from demix.support.provenance import processor


def numerics(device: torch.device, backend: str) -> dict[str, Any]:
    """Device model, torch build, threads, what computes the loss: equal records promise equal bits."""
    record: dict[str, Any] = {
        "device": device.type,
        "threads": torch.get_num_threads(),
        "torch": str(torch.__version__),
        "backend": backend,
    }
    if device.type == "cuda":
        return record | {"model": torch.cuda.get_device_name(device), "cuda": torch.version.cuda}
    return record | {"model": processor(), "instructions": torch.backends.cpu.get_cpu_capability()}


def differences(saved: dict[str, Any], here: dict[str, Any]) -> list[str]:
    """What is another here than it was, in words."""
    names = sorted(saved.keys() | here.keys())
    return [f"{name} {saved.get(name)} → {here.get(name)}" for name in names if saved.get(name) != here.get(name)]


def fix_algorithms() -> None:
    """Convolutions on a GPU by algorithms that give the same bits every time, in float32 as published."""
    torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = True, False
    torch.backends.cudnn.allow_tf32 = False
