"""Where the teapot is in an image, without Blender: vertices through a pinhole."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from demix_render.latents import setting_of
from demix_render.scene import CAMERA, LATENTS, TEAPOT
from demix_render.teapot import mesh

RIGHT, UP, FORWARD = np.array([[0, 1, 0], [-(0.5**0.5), 0, 0.5**0.5], [-(0.5**0.5), 0, -(0.5**0.5)]])


def rotation(alpha: float, beta: float, gamma: float) -> NDArray:
    """Matrix of Euler angles XYZ: Rz(gamma) Ry(beta) Rx(alpha)."""
    (ca, cb, cg), (sa, sb, sg) = np.cos([alpha, beta, gamma]), np.sin([alpha, beta, gamma])
    about_x = np.array([[1, 0, 0], [0, ca, -sa], [0, sa, ca]])
    about_y = np.array([[cb, 0, sb], [0, 1, 0], [-sb, 0, cb]])
    about_z = np.array([[cg, -sg, 0], [sg, cg, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def pixels(points: NDArray, size: int) -> NDArray:
    """Places (n, 2) of points (n, 3) of the world in an image: x to the right, y downwards, in pixels."""
    away = points - np.array(CAMERA.position)
    tangent = CAMERA.sensor / 2 / CAMERA.lens
    x, y = (away @ RIGHT, -(away @ UP)) / (away @ FORWARD) / tangent
    return size / 2 * (1 + np.stack([x, y], axis=1))


def outline(raw: Sequence[float], size: int = 224, z_scale: float = LATENTS.position) -> tuple[float, ...]:
    """Bounding box of the teapot in an image: lowest and highest x, lowest and highest y, in pixels."""
    setting = setting_of(raw, "corrected", z_scale)
    vertices = TEAPOT.scale * mesh()[0] @ rotation(*setting.rotation).T + np.array(setting.position)
    places = pixels(vertices, size)
    return (*np.stack([places.min(axis=0), places.max(axis=0)], axis=1).ravel().tolist(),)
