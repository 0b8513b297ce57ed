"""A made stand-in of KITTI Masks: silhouettes that walk, come nearer and pass behind posts. No real data is in it.

Steps from frame to frame have the heavy-tailed laws that were measured in KITTI Masks (generalised normal, density
prop. to exp(-(|step| / scale)^exponent)), around a slow return to each pedestrian's own place. Factors are measured on
the masks, as in the published file, so that hidden parts and the window's border count.
"""

import numpy as np
from numpy.typing import NDArray

from demix.datasets.common.conversion import Conversion, Inputs
from demix.datasets.common.masks import centre_and_area, mask_data
from demix.specs.datasets.common.masks import SIZE

STEPS = {"vertical": (0.587, 0.169), "horizontal": (0.694, 0.232), "area": (0.455, 1.01)}
"""Exponent and scale of the steps: pixels, pixels, and number of pixels."""

RETURN = 0.02
"""Share of the distance to its own place that a pedestrian returns in a frame."""

HEIGHTS = (14.0, 36.0)
"""Heights of silhouettes in pixels."""

FILL = 0.28
"""Area of a silhouette as a share of its height squared, with which steps of the area become steps of the height."""

SMALLEST = 30
"""A sequence ends with a mask of fewer pixels, as in the published file."""

HIDDEN = 0.4
"""Share of the sequences with a post in front."""


class KittiStandIn:
    """The stand-in.

    Args:
        sequences: number of sequences.
        frames: mean length of a sequence before it ends by leaving the image.
        motion: multiple of the measured steps.
        seed: of everything that is drawn.
    """

    def __init__(self, *, sequences: int, frames: int, motion: float, seed: int):
        self.count, self.frames, self.motion, self.seed = sequences, frames, motion, seed

    def convert(self, inputs: Inputs) -> Conversion:
        """All sequences; some have a single frame, or none, as those of a real file may."""
        generator = np.random.default_rng([self.seed, 0x6B177])
        masks = [self._sequence(generator) for _ in range(self.count)]
        return mask_data(masks, [centre_and_area(mask) if len(mask) else np.zeros((0, 3)) for mask in masks])

    def _sequence(self, generator: np.random.Generator) -> NDArray:
        """Masks (length, 64, 64) of one pedestrian."""
        length = 1 + generator.geometric(1 / self.frames)
        height = _path(length, generator.uniform(*HEIGHTS), self._height_steps(length, generator))
        height = np.clip(height, HEIGHTS[0] / 2, 1.2 * HEIGHTS[1])
        row = _path(length, generator.normal(0.5, 0.07) * SIZE, self._steps("vertical", length, generator))
        column = _path(length, generator.uniform(0, SIZE), self._steps("horizontal", length, generator))
        stride = generator.uniform(0, 2 * np.pi) + 0.35 * np.arange(length)
        masks = silhouettes(row, column, height, np.sin(stride))
        if generator.random() < HIDDEN:
            masks &= ~_post(generator)
        seen = masks.sum(axis=(1, 2)) >= SMALLEST
        return masks[: length if seen.all() else int(np.argmin(seen))]

    def _steps(self, factor: str, length: int, generator: np.random.Generator) -> NDArray:
        exponent, scale = STEPS[factor]
        size = generator.gamma(1 / exponent, size=length) ** (1 / exponent)
        return self.motion * scale * size * generator.choice([-1.0, 1.0], size=length)

    def _height_steps(self, length: int, generator: np.random.Generator) -> NDArray:
        """Steps of the height that change the area of a silhouette of middle height by the measured steps."""
        return self._steps("area", length, generator) / (2 * FILL * np.mean(HEIGHTS))


def silhouettes(row: NDArray, column: NDArray, height: NDArray, stride: NDArray) -> NDArray:
    """Masks (length, 64, 64) of pedestrians: a head, a body and two legs.

    Args:
        row, column: middle of the pedestrian in pixels, (length,).
        height: in pixels.
        stride: from -1 to 1, how far the legs are apart.
    """
    y = (np.arange(SIZE)[None, :, None] - row[:, None, None]) / height[:, None, None]
    x = (np.arange(SIZE)[None, None, :] - column[:, None, None]) / height[:, None, None]
    head = (y + 0.42) ** 2 + x**2 <= 0.08**2
    body = ((y + 0.11) / 0.26) ** 2 + (x / 0.16) ** 2 <= 1
    down = (y - 0.05) / 0.45  # from the hip to the foot
    spread = 0.2 * stride[:, None, None] * down
    legs = (down >= 0) & (down <= 1) & ((np.abs(x - spread) <= 0.06) | (np.abs(x + spread) <= 0.06))
    return head | body | legs


def _path(length: int, place: float, steps: NDArray) -> NDArray:
    """An autoregressive path around a place, (length,)."""
    path = np.empty(length)
    offset = 0.0
    for frame in range(length):
        path[frame] = place + offset
        offset = (1 - RETURN) * offset + steps[frame]
    return path


def _post(generator: np.random.Generator) -> NDArray:
    """Pixels (64, 64) of an upright post."""
    left, width = generator.uniform(0, SIZE), generator.uniform(2, 6)
    columns = np.arange(SIZE)
    return np.broadcast_to((columns >= left) & (columns < left + width), (SIZE, SIZE))
