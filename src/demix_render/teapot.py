"""The teapot's mesh, cut from Newell's 32 Bezier patches."""

import csv
import hashlib
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from demix_render.scene import TEAPOT

CONTROL_POINTS = Path(__file__).with_name("teapot.csv")
DECIMALS = 6
"""Of the vertices: versions of numpy differ beyond, and images with them."""


def control_points() -> NDArray:
    """Control points of all patches in Newell's coordinates (z up, base at 0), (32, 4, 4, 3)."""
    with open(CONTROL_POINTS) as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return np.array([[float(row[axis]) for axis in "xyz"] for row in rows]).reshape(32, 4, 4, 3)


def tessellate(patches: NDArray, pieces: int) -> tuple[NDArray, list[tuple[int, ...]]]:
    """Cut every patch `pieces` times in both directions and merge equal vertices.

    Returns:
        Vertices (n, 3) and faces, as indices of three or four of them: the corners that coincide in a cusp are one.
    """
    t = np.linspace(0, 1, pieces + 1)[:, None]
    basis = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])  # Bernstein, (pieces + 1, 4)
    points = np.einsum("ua,vb,pabc->puvc", basis, basis, patches).reshape(-1, 3)
    rounded = np.round(points, DECIMALS) + 0.0  # no negative zeros: they are other bytes
    _, first, number = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    grid = number.reshape(len(patches), pieces + 1, pieces + 1)
    # counter-clockwise from outside: Fresnel factors of a surface seen from behind are others
    corners = np.stack([grid[:, :-1, :-1], grid[:, :-1, 1:], grid[:, 1:, 1:], grid[:, 1:, :-1]], axis=-1)
    faces = [tuple(dict.fromkeys(face)) for face in corners.reshape(-1, 4).tolist()]
    return points[first], faces


@cache
def mesh() -> tuple[NDArray, list[tuple[int, ...]]]:
    """Vertices in the teapot's own coordinates, before it is scaled by 1.5, and faces."""
    vertices, faces = tessellate(control_points(), TEAPOT.pieces)
    cos, sin = np.cos(TEAPOT.turned), np.sin(TEAPOT.turned)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    placed = (vertices - [0, 0, TEAPOT.lowered]) * TEAPOT.unit @ turn.T
    return np.round(placed, DECIMALS) + 0.0, faces


def area(vertices: NDArray, faces: list[tuple[int, ...]]) -> float:
    """Area of all faces; those of four corners are halved along a diagonal."""
    halves = [face[:3] for face in faces] + [(face[0], *face[2:]) for face in faces if len(face) == 4]
    a, b, c = vertices[np.array(halves)].transpose(1, 0, 2)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def mesh_digest() -> str:
    """Digest of vertices and faces, for the record of images."""
    vertices, faces = mesh()
    content = vertices.astype("<f8").tobytes() + repr(faces).encode()
    return hashlib.sha256(content).hexdigest()
