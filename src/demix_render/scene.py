"""Every constant of the scene. Blender's metres, watts and radians; colours are scene-linear.

World axes as the camera sees them: +x towards it (down in the image), +y to the right, +z up. The numbers are those
that the authors' scripts and base scene hold; where the scripts set something without effect it is left out.
"""

from dataclasses import dataclass
from math import pi, radians, sqrt
from typing import Literal, get_args

LatentName = Literal["x", "y", "z", "alpha", "beta", "gamma", "spot", "hue_object", "hue_spot", "hue_ground"]
LATENT_NAMES: tuple[str, ...] = get_args(LatentName)
"""Position, Euler angles, angle of the spotlight, hues; in the order of the published arrays."""

BLENDER = "4.5.15"
"""The version that images are made with. Another one changes single values by one grey level."""

MESH = "b9baa1352b8a56772265fec0ab4b9937bf8f7c5b477488eec17bff764ff8c378"
"""Digest of the teapot's mesh, see `demix_render.teapot.mesh_digest`: another table of control points is noticed."""

TEAPOT_SIZE = 4.4421
"""Largest side of the teapot's bounding box at zero rotation, scaled. Heights in the scene are given in it."""


@dataclass(frozen=True)
class Camera:
    """A pinhole camera that looks at the origin, with +z up."""

    position: tuple[float, float, float] = (8.0, 0.0, 8.0)
    euler: tuple[float, float, float] = (pi / 4, 0.0, pi / 2)  # looks at the origin
    lens: float = 35.0  # mm
    sensor: float = 50.0  # mm, the side of the square image
    clip: tuple[float, float] = (0.1, 100.0)


@dataclass(frozen=True)
class Sun:
    """Straight down; gives most of the light."""

    angle: float = 0.199337
    strength: float = 0.5


@dataclass(frozen=True)
class Area:
    """A small square filler, straight down."""

    position: tuple[float, float, float] = (0.0, 0.0, 7.0)
    side: float = 1.0
    watts: float = 39.2699


@dataclass(frozen=True)
class Spot:
    """Moves on a horizontal half circle and aims at the teapot's origin. All lamps cast shadows."""

    orbit: float = 4.0  # radius of the half circle
    height: float = 6.0 + TEAPOT_SIZE
    watts: float = 3000.0
    radius: float = 0.5  # of the lamp
    cone: float = radians(35)  # full angle
    blend: float = 0.1
    saturation: float = 0.8


@dataclass(frozen=True)
class Teapot:
    """From Newell's coordinates: shifted, scaled, rotated; all rotations are about the origin that results."""

    pieces: int = 10  # parts that every patch is divided into, in both directions
    lowered: float = 10 / 7  # height of the pivot in Newell's coordinates
    unit: float = 0.6346859
    turned: float = radians(-45)  # about z: the spout to the front left
    scale: float = 1.5
    lifted: float = TEAPOT_SIZE / 2  # added to the latent z
    saturation: float = 1.0


@dataclass(frozen=True)
class Ground:
    """A square plane; the teapot always floats above it."""

    height: float = -TEAPOT_SIZE
    side: float = 1500.0
    saturation: float = 0.6


@dataclass(frozen=True)
class Rubber:
    """The material of teapot and ground: diffuse, then sheen, then gloss, mixed by Fresnel factors."""

    sheen_roughness: float = 0.6  # Ashikhmin's distribution
    sheen_ior: float = 1.4
    gloss_grey: float = 0.8
    gloss_roughness: float = sqrt(0.35)  # Beckmann's distribution
    gloss_ior: float = 1.2


@dataclass(frozen=True)
class Latents:
    """Rendering units of the raw latents, which are uniform on [-1, 1]."""

    position: float = 3.0  # x, y, z
    angle: float = pi / 2  # rotations, spotlight, hues


CAMERA, SUN, AREA, SPOT = Camera(), Sun(), Area(), Spot()
TEAPOT, GROUND, RUBBER, LATENTS = Teapot(), Ground(), Rubber(), Latents()
FILTER_WIDTH = 1.5  # pixels, Blackman-Harris


@dataclass(frozen=True)
class Preset:
    """How large images are and how many samples a pixel gets. All else is equal, so they differ in noise and size.

    Args:
        size: height and width in pixels.
        samples: light paths of a pixel, before the denoiser.
    """

    size: int
    samples: int


PRESETS = {"paper": Preset(224, 512), "fast": Preset(224, 16), "smoke": Preset(64, 4)}
