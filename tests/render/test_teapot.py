"""The teapot's mesh and where a pinhole camera sees it, without Blender."""

import csv
from collections import Counter

import numpy as np
import pytest
from projection import outline, rotation

from demix_render.scene import MESH, TEAPOT, TEAPOT_SIZE
from demix_render.teapot import CONTROL_POINTS, area, control_points, mesh, mesh_digest, tessellate

# Outline of the teapot in pixels where one latent is -1, -1/3, 1/3, 1 and all others are 0: x from, x to, y from, y to.
OUTLINES = {
    "x": [
        (73.6, 137.6, 39.8, 88.0),
        (67.0, 140.7, 52.3, 106.1),
        (57.5, 144.8, 69.1, 130.9),
        (43.1, 150.5, 88.2, 166.8),
    ],
    "y": [
        (-0.5, 99.0, 60.1, 117.3),
        (41.6, 128.0, 60.1, 117.3),
        (83.8, 158.2, 60.1, 117.3),
        (125.9, 191.4, 60.1, 117.3),
    ],
    "z": [
        (73.6, 137.6, 96.0, 145.9),
        (67.0, 140.7, 74.6, 128.2),
        (57.5, 144.8, 41.9, 105.2),
        (43.1, 150.5, -6.2, 74.4),
    ],
}
VALUES = (-1, -1 / 3, 1 / 3, 1)


def raw(**latents):
    """Raw latents by the letter of their column, all others 0."""
    values = np.zeros(10)
    for name, value in latents.items():
        values["xyzabg".index(name)] = value
    return values


def test_newells_teapot_has_its_32_patches():
    with open(CONTROL_POINTS) as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    patches = {"rim": 4, "body": 8, "lid": 8, "handle": 4, "spout": 4, "bottom": 4}
    assert Counter(row["part"] for row in rows) == {part: 16 * count for part, count in patches.items()}
    assert len({(row["x"], row["y"], row["z"]) for row in rows}) == 290


def test_the_surface_has_the_known_size_and_counts():
    vertices, faces = tessellate(control_points(), 10)
    assert vertices.min(axis=0) == pytest.approx([-3, -2, 0])
    assert vertices.max(axis=0) == pytest.approx([3.43404, 2, 3.15], abs=1e-4)
    assert (len(vertices), len(faces), Counter(map(len, faces))) == (3241, 3200, {4: 3120, 3: 80})
    assert area(vertices, faces) == pytest.approx(52.661, abs=1e-3)


def test_the_placed_teapot_has_the_known_box_and_reach():
    vertices, _ = mesh()
    assert vertices.min(axis=0) == pytest.approx([-1.4021, -1.5593, -0.9067], abs=1e-4)
    assert vertices.max(axis=0) == pytest.approx([1.5593, 1.4021, 1.0926], abs=1e-4)
    sides = TEAPOT.scale * np.ptp(vertices, axis=0)
    assert sides == pytest.approx([TEAPOT_SIZE, TEAPOT_SIZE, 2.9989], abs=1e-4)
    assert np.linalg.norm(TEAPOT.scale * vertices, axis=1).max() == pytest.approx(3.417, abs=1e-3)


def test_faces_look_outwards():
    # towards the axis of the body, which the surface of body, lid and bottom encloses
    vertices, faces = mesh()
    for face in faces[400:1200]:
        a, b, c = vertices[list(face[:3])]
        normal, place = np.cross(b - a, c - a), (a + b + c) / 3
        assert normal @ (place * [1, 1, 0]) >= 0


def test_the_mesh_is_the_same_in_every_environment():
    assert mesh_digest() == MESH


@pytest.mark.parametrize("column", OUTLINES)
def test_outlines_are_where_the_camera_must_see_them(column):
    for value, expected in zip(VALUES, OUTLINES[column], strict=True):
        assert outline(raw(**{column: value})) == pytest.approx(expected, abs=0.15)


def test_a_smaller_height_moves_the_teapot_as_in_the_printed_figure():
    top = outline(raw(z=1), z_scale=np.pi / 2)[2]
    assert top > 20  # at 3 it leaves the frame
    assert outline(raw(z=1))[2] < 0


def test_rotations_are_about_x_then_y_then_z():
    quarter = np.pi / 2
    assert rotation(quarter, 0, 0) @ [0, 1, 0] == pytest.approx([0, 0, 1])
    assert rotation(0, quarter, 0) @ [0, 0, 1] == pytest.approx([1, 0, 0])
    assert rotation(0, 0, quarter) @ [1, 0, 0] == pytest.approx([0, 1, 0])
    assert rotation(quarter, 0, quarter) @ [0, 1, 0] == pytest.approx([0, 0, 1])
