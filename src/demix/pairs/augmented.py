"""Random views of images on the training device, every image with its own parameters.

ICML 2021, Appendix A.2.3: random resized crop, colour jitter, grayscale. The transforms and their ranges are those of
torchvision's v2 `RandomResizedCrop` (bicubic), `ColorJitter` and `RandomGrayscale`, which give one set of parameters
to a whole batch and draw it from torch's global generator; here a batch is transformed at once with a set for each
image, drawn from a generator of its own. Parameters are drawn on the CPU: they are the same on any device.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from demix.pairs.common.base import Pairs, Samples
from demix.pairs.common.blocks import Blocks
from demix.support.randomness import torch_generator

RATIO = (3 / 4, 4 / 3)
"""Width by height of a crop."""

TRIES = 10
"""Crops that are drawn for an image; if none of them fits into it, the whole image is used, as in torchvision."""

JITTER = (0.8, 0.8, 0.8, 0.2)
"""Brightness, contrast, saturation and hue at strength 1."""

GREY = (0.2989, 0.587, 0.114)
"""Weights of red, green and blue."""

SPREAD = 2.0
"""Reach of bicubic interpolation in both directions, in pixels."""


class Augmented:
    """Two views of each image.

    Args:
        smallest_crop, strength, jitter, grayscale, flip: fields of the spec.
        samples: images of three channels.
        seed: of images and views.
        device: where the training is.
    """

    def __init__(
        self,
        *,
        smallest_crop: float,
        strength: float,
        jitter: float,
        grayscale: float,
        flip: bool,
        samples: Samples,
        seed: int,
        device: torch.device | str,
    ):
        self.smallest_crop, self.jitter, self.grayscale, self.flip = smallest_crop, jitter, grayscale, flip
        self.amounts = [strength * amount for amount in JITTER]
        self.numbers, self.seed = torch.from_numpy(samples.numbers), seed
        self._blocks = Blocks(self._drawn, device)

    def pairs(self, position: int, count: int) -> Pairs:
        """Pairs of an image with itself. Which images depends on seed and position alone."""
        return self._blocks.pairs(position, count)

    def _drawn(self, block: int, count: int) -> Pairs:
        generator = torch_generator(self.seed, "pictures", str(block))  # the stream has kept its name, and its draws
        numbers = self.numbers[torch.randint(len(self.numbers), (count,), generator=generator)]
        return Pairs(numbers, numbers)

    def facts(self) -> dict[str, float]:
        """None: two views of one image have equal factors, so there is no distance of partners to report."""
        return {}

    def view(self, images: Tensor, position: int, member: int) -> Tensor:
        """One view of each image.

        Args:
            images: (batch, 3, size, size) in [0, 1]; not changed.
            position: number of pairs drawn before these.
            member: 0 or 1, which of the two views.
        """
        generator = torch_generator(self.seed, "views", str(position), str(member))
        count, size = len(images), images.shape[-1]
        views = resized_crop(images, crops(count, size, self.smallest_crop, generator))
        views = jittered(views, *self._jitter(count, generator))
        grey = torch.rand(count, generator=generator) < self.grayscale
        change(views, grey, lambda part, _: _grey(part).expand_as(part), torch.zeros(count))
        flipped = torch.rand(count, generator=generator) < (0.5 if self.flip else 0.0)
        change(views, flipped, lambda part, _: part.flip(-1), torch.zeros(count))
        return views

    def _jitter(self, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Factor of every operation and image, (4, count), and the order of the operations, (4, count): which one
        comes first, second, ...; -1 for an image without jitter."""
        amounts = torch.tensor(self.amounts)[:, None]
        centers = torch.tensor([1.0, 1.0, 1.0, 0.0])[:, None]
        factors = centers + amounts * (2 * torch.rand(4, count, generator=generator) - 1)
        factors[:3].clamp_(min=0)
        order = torch.rand(4, count, generator=generator).argsort(dim=0)
        order[:, torch.rand(count, generator=generator) >= self.jitter] = -1
        return factors, order


def crops(count: int, size: int, smallest: float, generator: torch.Generator) -> Tensor:
    """Random crops of square images as torchvision's RandomResizedCrop draws them: top, left, height, width, (4, n).

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


def resized_crop(images: Tensor, windows: Tensor) -> Tensor:
    """A window of every image, enlarged to the image's size by bicubic interpolation; values stay in [0, 1].

    Args:
        images: (batch, 3, size, size).
        windows: top, left, height, width of each, (4, batch), at most the image.
    """
    top, left, height, width = windows.to(images.device)
    size = images.shape[-1]
    rows, columns = _interpolation(top, height, size), _interpolation(left, width, size)
    return (rows[:, None] @ images @ columns[:, None].mT).clamp_(0, 1)


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


def jittered(images: Tensor, factors: Tensor, order: Tensor) -> Tensor:
    """Brightness, contrast, saturation and hue of every image changed, in an order of its own; in place.

    Args:
        images: (batch, 3, size, size) in [0, 1].
        factors: of the four operations, (4, batch), on the CPU.
        order: which operation comes first, second, ... (4, batch), on the CPU; -1 for none.
    """
    for place in order:
        for number, operation in enumerate(OPERATIONS):
            change(images, place == number, operation, factors[number])
    return images


def change(images: Tensor, chosen: Tensor, operation: Callable[[Tensor, Tensor], Tensor], factors: Tensor) -> None:
    """Apply an operation to the chosen images, in place.

    Args:
        chosen: (batch,) bool, on the CPU, so that no device has to be waited for.
        operation: takes images and their factors, shaped (n, 1, 1, 1).
        factors: (batch,), on the CPU.
    """
    places = chosen.nonzero()[:, 0]
    if len(places):
        factor = factors[places].to(images.device)[:, None, None, None]
        places = places.to(images.device)
        images[places] = operation(images[places], factor)


def _grey(images: Tensor) -> Tensor:
    weights = torch.tensor(GREY, device=images.device)[:, None, None]
    return (images * weights).sum(dim=1, keepdim=True)


def _brightness(images: Tensor, factor: Tensor) -> Tensor:
    return (images * factor).clamp_(0, 1)


def _contrast(images: Tensor, factor: Tensor) -> Tensor:
    mean = _grey(images).mean(dim=(1, 2, 3), keepdim=True)
    return (factor * images + (1 - factor) * mean).clamp_(0, 1)


def _saturation(images: Tensor, factor: Tensor) -> Tensor:
    return (factor * images + (1 - factor) * _grey(images)).clamp_(0, 1)


def _hue(images: Tensor, factor: Tensor) -> Tensor:
    """Turn the hue by a fraction of the full circle; saturation and value stay (HSV)."""
    value, lowest = images.amax(dim=1, keepdim=True), images.amin(dim=1, keepdim=True)
    chroma = value - lowest
    red, green, blue = images.split(1, dim=1)
    divisor = torch.where(chroma > 0, chroma, 1.0)
    sector = torch.where(
        value == red,
        (green - blue) / divisor,
        torch.where(value == green, 2 + (blue - red) / divisor, 4 + (red - green) / divisor),
    )
    hue = sector / 6 + factor
    # the share of the chroma that each channel lacks is a trapezoid of the hue, a third of a circle apart
    offsets = torch.tensor([5.0, 3.0, 1.0], device=images.device)[:, None, None]
    k = (offsets + 6 * hue) % 6
    return value - chroma * torch.minimum(k, 4 - k).clamp_(0, 1)


OPERATIONS = (_brightness, _contrast, _saturation, _hue)
