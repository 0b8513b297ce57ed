"""Random views of pictures on the training device, every picture with its own parameters.

ICML 2021, Appendix A.2.3: random resized crop, colour jitter, grayscale. The transforms and their ranges are those of
torchvision's v2 `RandomResizedCrop` (bicubic), `ColorJitter` and `RandomGrayscale`, which give one set of parameters
to a whole batch and draw it from torch's global generator; here a batch is transformed at once with a set for each
picture, drawn from a generator of its own. Parameters are drawn on the CPU: they are the same on any device.
"""

import math
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from demix.support.randomness import torch_generator

RATIO = (3 / 4, 4 / 3)
"""Width by height of a crop."""

TRIES = 10
"""Crops that are drawn before one that does not fit gives way to the whole picture."""

JITTER = (0.8, 0.8, 0.8, 0.2)
"""Brightness, contrast, saturation and hue at strength 1."""

GREY = (0.2989, 0.587, 0.114)
"""Weights of red, green and blue."""

SPREAD = 2.0
"""Pixels to each side that bicubic interpolation reaches."""


class Augmentations:
    """Two views of each picture.

    Args:
        smallest_crop, strength, jitter, grayscale, flip: fields of the spec.
        latents: of the pictures, (count, dim); only their number matters.
        seed: of pictures and views.
    """

    def __init__(
        self,
        *,
        smallest_crop: float,
        strength: float,
        jitter: float,
        grayscale: float,
        flip: bool,
        latents: NDArray,
        seed: int,
    ):
        self.smallest_crop, self.jitter, self.grayscale, self.flip = smallest_crop, jitter, grayscale, flip
        self.amounts = [strength * amount for amount in JITTER]
        self.count, self.seed = len(latents), seed

    def pairs(self, block: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Numbers of `count` pictures, twice; they depend on seed and block alone."""
        generator = torch_generator(self.seed, "pictures", str(block))
        numbers = torch.randint(self.count, (count,), generator=generator).numpy()
        return numbers, numbers

    def facts(self) -> dict[str, float]:
        """Views of one picture have no width."""
        return {}

    def view(self, pictures: Tensor, position: int, member: int) -> Tensor:
        """One view of each picture.

        Args:
            pictures: (batch, 3, size, size) in [0, 1]; not changed.
            position: number of pairs drawn before these.
            member: 0 or 1, which of the two views.
        """
        generator = torch_generator(self.seed, "views", str(position), str(member))
        count, size = len(pictures), pictures.shape[-1]
        views = resized_crop(pictures, crops(count, size, self.smallest_crop, generator))
        views = jittered(views, *self._jitter(count, generator))
        grey = torch.rand(count, generator=generator) < self.grayscale
        change(views, grey, lambda part, _: _grey(part).expand_as(part), torch.zeros(count))
        turned = torch.rand(count, generator=generator) < (0.5 if self.flip else 0.0)
        change(views, turned, lambda part, _: part.flip(-1), torch.zeros(count))
        return views

    def _jitter(self, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Factor of every operation and picture, (4, count), and the order of the operations, (4, count): which one
        comes first, second, ...; -1 for a picture without jitter."""
        amounts = torch.tensor(self.amounts)[:, None]
        centers = torch.tensor([1.0, 1.0, 1.0, 0.0])[:, None]
        factors = centers + amounts * (2 * torch.rand(4, count, generator=generator) - 1)
        factors[:3].clamp_(min=0)
        order = torch.rand(4, count, generator=generator).argsort(dim=0)
        order[:, torch.rand(count, generator=generator) >= self.jitter] = -1
        return factors, order


def crops(count: int, size: int, smallest: float, generator: torch.Generator) -> Tensor:
    """Random crops of square pictures as torchvision's RandomResizedCrop draws them: top, left, height, width, (4, n).

    Args:
        smallest: least share of the area; the largest is 1.
    """
    area = size**2 * (smallest + (1 - smallest) * torch.rand(TRIES, count, generator=generator))
    low, high = map(math.log, RATIO)
    ratio = torch.exp(low + (high - low) * torch.rand(TRIES, count, generator=generator))
    width, height = (area * ratio).sqrt().round(), (area / ratio).sqrt().round()
    fits = (width >= 1) & (width <= size) & (height >= 1) & (height <= size)
    first = fits.to(torch.uint8).argmax(dim=0)
    none = ~fits.any(dim=0)
    width, height = (torch.where(none, float(size), sides.gather(0, first[None])[0]) for sides in (width, height))
    sides = torch.stack([height, width])
    corner = (torch.rand(2, count, generator=generator) * (size - sides + 1)).floor().minimum(size - sides)
    return torch.cat([corner, sides])


def resized_crop(pictures: Tensor, windows: Tensor) -> Tensor:
    """A window of every picture, enlarged to the picture's size by bicubic interpolation; values stay in [0, 1].

    Args:
        pictures: (batch, 3, size, size).
        windows: top, left, height, width of each, (4, batch), at most the picture.
    """
    top, left, height, width = windows.to(pictures.device)
    size = pictures.shape[-1]
    rows, columns = _interpolation(top, height, size), _interpolation(left, width, size)
    return (rows[:, None] @ pictures @ columns[:, None].mT).clamp_(0, 1)


def _interpolation(start: Tensor, length: Tensor, size: int) -> Tensor:
    """Weights (batch, size, size) of old pixels in new ones, along one axis: Keys' cubic with a = -1/2, as in PIL."""
    pixel = torch.arange(size, device=start.device, dtype=torch.float32) + 0.5
    center = start[:, None] + pixel * length[:, None] / size  # of new pixels, in old ones
    distance = (pixel - center[:, :, None]).abs()
    near = (1.5 * distance - 2.5) * distance**2 + 1
    far = ((-0.5 * distance + 2.5) * distance - 4) * distance + 2
    weights = torch.where(distance < 1, near, torch.where(distance < SPREAD, far, 0.0))
    inside = (pixel > start[:, None]) & (pixel < (start + length)[:, None])
    weights = weights * inside[:, None]
    return weights / weights.sum(dim=-1, keepdim=True)


def jittered(pictures: Tensor, factors: Tensor, order: Tensor) -> Tensor:
    """Brightness, contrast, saturation and hue of every picture changed, in an order of its own; in place.

    Args:
        pictures: (batch, 3, size, size) in [0, 1].
        factors: of the four operations, (4, batch), on the CPU.
        order: which operation comes first, second, ... (4, batch), on the CPU; -1 for none.
    """
    for turn in order:
        for number, operation in enumerate(OPERATIONS):
            change(pictures, turn == number, operation, factors[number])
    return pictures


def change(pictures: Tensor, chosen: Tensor, operation: Callable[[Tensor, Tensor], Tensor], factors: Tensor) -> None:
    """Apply an operation to the chosen pictures, in place.

    Args:
        chosen: (batch,) bool, on the CPU, so that no device has to be waited for.
        operation: takes pictures and their factors, shaped (n, 1, 1, 1).
        factors: (batch,), on the CPU.
    """
    places = chosen.nonzero()[:, 0]
    if len(places):
        factor = factors[places].to(pictures.device)[:, None, None, None]
        places = places.to(pictures.device)
        pictures[places] = operation(pictures[places], factor)


def _grey(pictures: Tensor) -> Tensor:
    weights = torch.tensor(GREY, device=pictures.device)[:, None, None]
    return (pictures * weights).sum(dim=1, keepdim=True)


def _brightness(pictures: Tensor, factor: Tensor) -> Tensor:
    return (pictures * factor).clamp_(0, 1)


def _contrast(pictures: Tensor, factor: Tensor) -> Tensor:
    mean = _grey(pictures).mean(dim=(1, 2, 3), keepdim=True)
    return (factor * pictures + (1 - factor) * mean).clamp_(0, 1)


def _saturation(pictures: Tensor, factor: Tensor) -> Tensor:
    return (factor * pictures + (1 - factor) * _grey(pictures)).clamp_(0, 1)


def _hue(pictures: Tensor, factor: Tensor) -> Tensor:
    """Turn the hue by a fraction of the full circle; saturation and value stay (HSV)."""
    value, lowest = pictures.amax(dim=1, keepdim=True), pictures.amin(dim=1, keepdim=True)
    chroma = value - lowest
    red, green, blue = pictures.split(1, dim=1)
    divisor = torch.where(chroma > 0, chroma, 1.0)
    sector = torch.where(
        value == red,
        (green - blue) / divisor,
        torch.where(value == green, 2 + (blue - red) / divisor, 4 + (red - green) / divisor),
    )
    turned = sector / 6 + factor
    # the share of the chroma that each channel lacks is a trapezoid of the hue, a third of a circle apart
    offsets = torch.tensor([5.0, 3.0, 1.0], device=pictures.device)[:, None, None]
    k = (offsets + 6 * turned) % 6
    return value - chroma * torch.minimum(k, 4 - k).clamp_(0, 1)


OPERATIONS = (_brightness, _contrast, _saturation, _hue)
