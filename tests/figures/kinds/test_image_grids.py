"""Figures of rendered images: their cells, drawing and caption."""

import numpy as np
import pytest
from figures_config import small_experiment
from figures_drawn import caption, drawn

from demix.collecting.command import Results
from demix.figures.plan import figure_plan
from demix.specs.datasets.common.threedident import LATENTS
from demix.support.building import build
from demix.support.errors import DataError
from demix_render.container import encode, write_shard

ABOUT = {"blender": "4.2", "device": "a CPU"}


def shards(folder, latents, at_once=7):
    """Shards of grey images, the brighter the later."""
    paths = []
    for first in range(0, len(latents), at_once):
        some = latents[first : first + at_once]
        images = [encode(np.full((16, 16, 3), 5 * (first + i), np.uint8)) for i in range(len(some))]
        paths.append(folder / f"all-{first:06}.parquet")
        write_shard(paths[-1], first, some, images, ABOUT)
    return tuple(paths)


@pytest.fixture(params=["traversals", "gallery"])
def plan(request):
    return figure_plan(small_experiment(), request.param)


@pytest.fixture
def latents(plan):
    return build(plan.spec.rendered).latents("all")


@pytest.fixture
def table(plan, latents, tmp_path):
    return build(plan.spec).collect(plan, Results(shards=shards(tmp_path, latents)))


def test_images_fill_the_grid_row_by_row(plan, table, latents):
    width = 10 if plan.name == "traversals" else 3
    assert len(table) == plan.spec.rendered.shards["all"]
    assert list(table["row"] * width + table["column"]) == list(range(len(table)))
    assert np.allclose(table[list(LATENTS)], latents, atol=1e-6)
    assert set(table["key"]) == {plan.rendered_key}


def test_every_image_has_its_cell(plan, table):
    axes = drawn(plan, table).axes
    assert len(axes) == len(table)
    assert [int(ax.images[0].get_array()[0, 0, 0]) for ax in axes] == [5 * i for i in range(len(table))]


def test_the_caption_says_how_the_images_were_rendered(plan, table):
    text = caption(plan, table)
    assert "hues of negative latents as in the published images" in text
    assert f"Made with Blender 4.2 on a CPU; key {plan.rendered_key[:8]}." in text


def test_traversals_vary_one_latent_a_column(tmp_path):
    plan = figure_plan(small_experiment(), "traversals")
    table = build(plan.spec).collect(plan, Results(shards=shards(tmp_path, build(plan.spec.rendered).latents("all"))))
    cells = table.set_index(["row", "column"])
    for column, latent in enumerate(LATENTS):
        assert [cells.loc[(row, column), latent] for row in (0, 1)] == [-1, 1]
    labels = [ax.get_ylabel() for ax in drawn(plan, table).axes[::10]]
    assert labels == ["-1.00", "+1.00"]


def test_a_damaged_shard_is_named(tmp_path):
    plan = figure_plan(small_experiment(), "gallery")
    (path, *_) = shards(tmp_path, build(plan.spec.rendered).latents("all"))
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(DataError, match="delete it to have it rendered again"):
        build(plan.spec).collect(plan, Results(shards=(path,)))
