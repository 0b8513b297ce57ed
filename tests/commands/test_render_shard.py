"""Rendering a shard by its place in the data set alone."""

import numpy as np
import pytest
from renderer import interpreter

from demix.datasets.common.packing import packed
from demix.datasets.common.rendering import Shard, shards
from demix.datasets.common.shards import read_shard
from demix.obtain_data import provide
from demix.render_shard import render_shard
from demix.specs.datasets import dataset_from
from demix.specs.datasets.gallery import GallerySpec
from demix.specs.datasets.renderer import RendererSpec
from demix.support.building import build
from demix.support.errors import ConfigError, DataError

SMALL = {"preset": "smoke", "size": 16, "samples": 1}


@pytest.fixture
def card(tmp_path, monkeypatch):
    """Card of an environment to render in."""
    monkeypatch.setenv("DEMIX_RENDER_PYTHON", str(interpreter()))
    provide(RendererSpec(), tmp_path / "renderer")
    return tmp_path / "renderer/card.json"


def test_a_shard_shows_the_latents_of_its_place(card, tmp_path):
    spec = GallerySpec(columns=3, rows=1, **SMALL)
    render_shard(spec, Shard("all", 1, 2), tmp_path / "rendering/all-000001.parquet", card, "cpu", 1)
    shard = read_shard(tmp_path / "rendering/all-000001.parquet")
    assert shard.first == 1
    assert np.array_equal(shard.latents, build(spec).latents("all")[1:])
    assert not list((tmp_path / "rendering").glob("*.journal"))


def test_what_is_rendered_can_be_packed(card, tmp_path):
    spec = dataset_from({"kind": "threedident", "train": 4, "test": 4, **SMALL}, "data")
    files = [tmp_path / f"{shard.name}.parquet" for shard in shards(spec)]
    for shard, file in zip(shards(spec), files, strict=True):
        render_shard(spec, shard, file, card, "cpu", 1)
    splits = packed(spec, build(spec), files).splits
    assert [(name, split.count) for name, split in splits.items()] == [("train", 4), ("test", 4)]


def test_what_cannot_be_rendered_is_named(tmp_path):
    out, card = tmp_path / "shard.parquet", tmp_path / "card.json"
    with pytest.raises(ConfigError, match="data set kitti_masks is not rendered"):
        render_shard(dataset_from("kitti_masks", "data"), Shard("all", 0, 1), out, card, "cpu", 1)
    with pytest.raises(ConfigError, match="unknown split 'train'; allowed: all"):
        render_shard(GallerySpec(), Shard("train", 0, 1), out, card, "cpu", 1)
    with pytest.raises(DataError, match=r"card\.json: not readable"):
        render_shard(GallerySpec(), Shard("all", 0, 1), out, card, "cpu", 1)
