"""From the ten raw latents to what the scene is set to."""

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from demix_render.scene import GROUND, LATENTS, SPOT, TEAPOT

HUE_MODES = ("published", "corrected")
Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Setting:
    """What changes from image to image. Metres, radians, scene-linear RGB."""

    position: Vector
    rotation: Vector  # Euler XYZ: Rz(gamma) Ry(beta) Rx(alpha)
    spot: Vector
    teapot_colour: Vector
    spot_colour: Vector
    ground_colour: Vector


def rendering_units(raw: NDArray, z_scale: float = LATENTS.position) -> NDArray:
    """Raw latents (..., 10) in rendering units: positions times 3 (z times `z_scale`), all else times pi / 2."""
    position = LATENTS.position
    return np.asarray(raw, dtype=np.float64) * np.array([position, position, z_scale, *[LATENTS.angle] * 7])


def setting_of(raw: Sequence[float] | NDArray, hue_mode: str, z_scale: float = LATENTS.position) -> Setting:
    """The scene of one image.

    Args:
        raw: ten latents in [-1, 1].
        hue_mode: "published", with the conversion of negative hues that the released images have, or "corrected".
        z_scale: metres of the raw latent z.
    """
    x, y, z, alpha, beta, gamma, theta, *_ = rendering_units(np.asarray(raw), z_scale).tolist()
    saturations = (TEAPOT.saturation, SPOT.saturation, GROUND.saturation)
    colours = [colour(float(hue), strength, hue_mode) for hue, strength in zip(raw[7:10], saturations, strict=True)]
    spot = (SPOT.orbit * float(np.sin(theta)), SPOT.orbit * float(np.cos(theta)), SPOT.height)
    return Setting((x, y, z + TEAPOT.lifted), (alpha, beta, gamma), spot, *colours)


def colour(hue: float, saturation: float, mode: str) -> Vector:
    """RGB of a raw hue in [-1, 1], a quarter of the colour circle to either side of red.

    The authors' scripts pass negative hues to `colorsys.hsv_to_rgb`, whose sectors are wrong there: its remainder
    counts from the integer towards zero. The released images are so; Blender cuts what comes out below 0.

    Raises:
        ValueError: there is no such mode.
    """
    if mode == "corrected":
        return colorsys.hsv_to_rgb(hue / 4 % 1.0, saturation, 1.0)
    if mode != "published":
        raise ValueError(f"hue mode: {mode!r}; allowed: {', '.join(HUE_MODES)}")
    red, green, blue = colorsys.hsv_to_rgb(hue / 4, saturation, 1.0)
    return max(red, 0.0), max(green, 0.0), max(blue, 0.0)
