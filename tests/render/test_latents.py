"""From raw latents to the scene: units, colours, the lamp's place."""

import numpy as np
import pytest

from demix_render import latents


def test_rendering_units_are_those_of_the_published_array():
    assert latents.rendering_units(np.ones(10)) == pytest.approx([3, 3, 3, *[np.pi / 2] * 7])
    assert latents.rendering_units(-np.ones(10), z_scale=1.5)[:4] == pytest.approx([-3, -3, -1.5, -np.pi / 2])


def published(u, s):
    """The colours that the authors' scripts set, cut at 0: red or yellow on the right, a bug on the left."""
    if u >= 2 / 3:
        return 1 - s * (1.5 * u - 1), 1, 1 - s
    if u >= 0:
        return 1, 1 - s + 1.5 * s * u, 1 - s
    if u > -2 / 3:
        return 1, max(1 - s + 1.5 * s * u, 0), 1 - s
    return 1, 1 - s, 1 + s * (-1.5 * u - 1)


@pytest.mark.parametrize("saturation", [1.0, 0.8, 0.6])
def test_published_colours_are_those_of_the_table(saturation):
    for u in np.linspace(-1, 1, 41):
        assert latents.colour(u, saturation, "published") == pytest.approx(published(u, saturation))


def test_corrected_colours_are_a_mirror_image_and_the_published_ones_are_not():
    for u in (0.2, 0.5, 0.9):
        red, green, blue = latents.colour(u, 0.8, "corrected")
        assert latents.colour(-u, 0.8, "corrected") == pytest.approx((red, blue, green))
        assert latents.colour(u, 0.8, "published") == (red, green, blue)
        assert latents.colour(-u, 0.8, "published") != pytest.approx((red, blue, green))
    with pytest.raises(ValueError, match="allowed: published, corrected"):
        latents.colour(0.1, 1.0, "repaired")


def test_published_object_colours_do_not_change_on_a_third_of_the_range():
    constant = {latents.colour(u, 1.0, "published") for u in np.linspace(-0.66, 0, 20)}
    assert constant == {(1.0, 0.0, 0.0)}


def test_the_spotlight_moves_on_a_horizontal_half_circle():
    for raw, place in ((-1, (-4, 0)), (0, (0, 4)), (1, (4, 0))):
        values = np.zeros(10)
        values[6] = raw
        assert latents.setting_of(values, "published").spot == pytest.approx((*place, 10.4421))
