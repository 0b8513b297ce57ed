"""The precision of the encoder's matrix products in training, which a run may lower and the papers do not."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn


class EncoderPrecision:
    """How an encoder is called in a training step.

    Args:
        name: "float32"; "tf32", 19 bits in the products on an NVIDIA GPU; or "bf16", products of 16 bits.
        device: where the encoder is.
    """

    def __init__(self, name: str, device: torch.device):
        self.name, self.device = name, device

    @contextmanager
    def step(self) -> Iterator[None]:
        """Around a step, forward and backward."""
        before = torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision("high" if self.name == "tf32" else before)
        try:
            yield
        finally:
            torch.set_float32_matmul_precision(before)

    def encode(self, encoder: nn.Module) -> Callable[[Tensor], Tensor]:
        """The encoder as an objective should call it; codes are float32 again."""
        if self.name != "bf16":
            return encoder

        def in_bf16(observations: Tensor) -> Tensor:
            with torch.autocast(self.device.type, torch.bfloat16):
                return encoder(observations).float()

        return in_bf16
