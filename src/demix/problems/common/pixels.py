"""Images by their numbers, as numbers in [0, 1] on the device: few of them lie there, many are read from disk."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

LARGE = 1 << 30
"""Bytes of images that are left on disk."""


class Pixels:
    """The images of a split.

    Args:
        images: (n, height, width, channels) uint8, mapped into memory.
        white: the byte that stands for 1.
        shrink: images are averaged over blocks of shrink x shrink pixels.
        device: where they go.
    """

    def __init__(self, images: NDArray[np.uint8], white: int, shrink: int, device: torch.device):
        self._images, self._white, self._shrink, self._device = images, white, shrink, device
        self.on_device = images.nbytes <= LARGE
        if self.on_device:
            self._all = torch.from_numpy(self._shrunk(images)).to(device)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Channels, height and width of an image."""
        height, width, channels = self._images.shape[1:]
        return channels, height // self._shrink, width // self._shrink

    def read(self, numbers: Tensor) -> Tensor:
        """Integers (n, height, width, channels) of some images: on the device if they are few, else on the CPU, in
        memory that a GPU can copy from in the background."""
        if self.on_device:
            return self._all[numbers.to(self._device)]
        found = torch.from_numpy(self._shrunk(self._images[numbers.cpu().numpy()]))
        return found.pin_memory() if self._device.type == "cuda" else found

    def unit(self, pixels: Tensor) -> Tensor:
        """What `read` gave as float32 (n, channels, height, width) in [0, 1] on the device."""
        on_device = pixels.to(self._device, non_blocking=True).permute(0, 3, 1, 2)
        floats = on_device.to(torch.float32, memory_format=torch.contiguous_format)
        return floats.div_(self._white * self._shrink**2)

    def _shrunk(self, images: NDArray[np.uint8]) -> NDArray:
        """Sums over blocks of pixels, in the smallest type that holds them."""
        if self._shrink == 1:
            return np.array(images)
        dtype = np.uint8 if self._white * self._shrink**2 <= np.iinfo(np.uint8).max else np.int16
        count, height, width, channels = images.shape
        blocks = images.reshape(
            count, height // self._shrink, self._shrink, width // self._shrink, self._shrink, channels
        )
        return blocks.sum(axis=(2, 4), dtype=dtype)
