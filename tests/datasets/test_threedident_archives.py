"""Pictures from published archives and from folders: downloads, checksums, archives that lie."""

import hashlib
import json
import re

import numpy as np
import pytest
from demix.specs.pictures import SPLITS, DownloadedPictures, LocalPictures, PictureArchive, RenderedPictures
from file_server import FileServer
from picture_data import drawn, local_folder, npy, published_layout, spec_of, tar

from demix.datasets.common.picture_folder import open_pictures
from demix.download_3dident import provide
from demix.specs.base import parse
from demix.specs.workflow import PictureSource
from demix.support.building import build
from demix.support.errors import ConfigError
from demix.unpack_pictures import unpack

SPEC = spec_of(train=12, test=6, size=28)
MADE = {split: drawn(build(SPEC).latents(split), 28) for split in SPLITS}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


FILES = {split: published_layout(SPEC, split, digits) for split, digits in (("train", 6), ("test", 5))}


ARCHIVES = {split: tar(FILES[split]) for split in SPLITS}
MD5 = {split: hashlib.md5(ARCHIVES[split]).hexdigest() for split in SPLITS}


def card_of(folder):
    return json.loads((folder / "card.json").read_text())


def archive_spec(split="train", md5=None):
    return PictureArchive(split=split, md5=md5 or MD5[split])


def placed(tmp_path, **archives):
    """Cards of archives that lie where the download leaves them."""
    cards = []
    for split in SPLITS:
        content = archives.get(split, ARCHIVES[split])
        (tmp_path / "archives").mkdir(exist_ok=True)
        (tmp_path / f"archives/3dident_{split}.tar").write_bytes(content)
        out = tmp_path / "archives" / split
        provide(archive_spec(split, hashlib.md5(content).hexdigest()), ["http://127.0.0.1:9/none"], out)
        cards.append(out / "card.json")
    return cards


def test_the_source_decides_which_data_stands_for_rendered_pictures():
    rendered = RenderedPictures(preset="fast", size=64, train=2000, held={"x": 0})
    assert PictureSource().pictures(rendered) is rendered
    downloaded = PictureSource(source="download").pictures(rendered)
    assert downloaded == DownloadedPictures(train=2000, test=25_000, size=64)
    assert [archive.file for archive in downloaded.archives] == ["3dident_train.tar", "3dident_test.tar"]
    assert PictureSource(source="download", md5={"test": "0" * 32}).pictures(rendered).test_md5 == "0" * 32
    local = PictureSource(source="local", path="/data/3dident").pictures(rendered)
    assert local == LocalPictures(path="/data/3dident", train=2000, test=25_000, size=64)
    assert len(local.free) == 10
    with pytest.raises(ConfigError, match="path goes with source local, got source=render and path=/data"):
        parse(PictureSource, {"path": "/data"}, "datasets.threedident")
    with pytest.raises(ConfigError, match="'render', 'download' or 'local', got 'downlod'"):
        parse(PictureSource, {"source": "downlod"}, "datasets.threedident")


def test_an_archive_is_fetched_resumed_and_checked(tmp_path):
    out = tmp_path / "archives/0123"
    with FileServer(ARCHIVES["train"], break_after=[20_000]).running() as server:
        provide(archive_spec(), [server.url], out)
    assert server.requests[-1][1] == "bytes=20000-"
    card = card_of(out)
    assert card["available"]
    assert card["counts"] == {"bytes": len(ARCHIVES["train"])}
    assert card["statistics"]["sha256"] == hashlib.sha256(ARCHIVES["train"]).hexdigest()
    assert (tmp_path / "archives/3dident_train.tar").read_bytes() == ARCHIVES["train"]
    provide(archive_spec(), ["http://127.0.0.1:9/none"], out, 2)  # it is there
    assert card_of(out)["attempt"] == 2


def test_another_archive_is_moved_aside_and_both_checksums_are_named(tmp_path):
    out = tmp_path / "archives/0123"
    with FileServer(ARCHIVES["test"]).running() as server:
        provide(archive_spec(), [server.url], out)
    card = card_of(out)
    assert not card["available"]
    assert f"has MD5 checksum {MD5['test']}, but that of the configuration is {MD5['train']}" in card["reason"]
    assert "3dident_train.tar.refused" in card["remedy"]
    assert not (tmp_path / "archives/3dident_train.tar").exists()


@pytest.mark.parametrize("size", [28, 14])
def test_archives_become_a_folder_whatever_the_order_in_them(tmp_path, size):
    spec = DownloadedPictures(train=10, test=6, size=size)
    unpack(spec, placed(tmp_path), tmp_path / "data", "key")
    opened = open_pictures(tmp_path / "data")
    for split, count in (("train", 10), ("test", 6)):
        assert np.array_equal(opened.latents[split], build(SPEC).latents(split)[:count])
        wanted = MADE[split][:count]
        if size == 14:  # means over four pixels
            wanted = wanted.reshape(count, 14, 2, 14, 2, 3).astype(float).mean(axis=(2, 4))
        assert np.abs(opened.pictures[split] - wanted.astype(float)).max() <= (
            0 if size == 28 else 1
        )  # pillow rounds twice
    card = card_of(tmp_path / "data")
    assert card["statistics"]["hue_mode"] == "published"
    assert card["statistics"]["source"] == "downloaded_pictures"


def test_a_folder_in_that_layout_gives_the_same_pictures(tmp_path):
    local_folder(tmp_path, SPEC)
    for path in (tmp_path, tmp_path / "3dident"):
        unpack(LocalPictures(path=str(path), train=12, test=6, size=28), [], tmp_path / "data")
        assert np.array_equal(open_pictures(tmp_path / "data").pictures["train"], MADE["train"])


TRAIN = FILES["train"]
WRONG = {
    "no tar": (b"<html>", "no tar archive"),
    "cut off": (ARCHIVES["train"][:9000], "3dident_train.tar is (damaged|cut off)|has no"),
    "no latents": (tar({name: data for name, data in TRAIN.items() if "raw" not in name}), "has no raw_latents.npy"),
    "a picture is missing": (tar({name: d for name, d in TRAIN.items() if "000003" not in name}), "has no picture 3"),
    "a picture is damaged": (tar(TRAIN | {"3dident/train/images/000003.png": b"png"}), "picture 3 is damaged"),
    "rendering units": (
        tar(TRAIN | {"3dident/train/raw_latents.npy": TRAIN["3dident/train/latents.npy"]}),
        r"leaves \[-1, 1\]; latents.npy has other units",
    ),
    "a pickle": (
        tar(TRAIN | {"3dident/train/raw_latents.npy": npy(np.array([{}], dtype=object))}),
        "raw_latents.npy is damaged",
    ),
    "spherical latents": (
        tar(TRAIN | {"3dident/train/raw_latents.npy": npy(np.zeros((12, 11), np.float32))}),
        r"float32 \(12, 11\), not real \(n, 10\)",
    ),
    "few": (tar(TRAIN | {"3dident/train/raw_latents.npy": npy(np.zeros((9, 10)))}), "has 9 pictures, 12 are asked for"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_archive_with_something_else_leaves_a_card_that_says_so(tmp_path, name):
    content, reason = WRONG[name]
    unpack(DownloadedPictures(train=12, test=6, size=28), placed(tmp_path, train=content), tmp_path / "data")
    card = card_of(tmp_path / "data")
    assert not card["available"]
    assert re.search(reason, card["reason"]), card["reason"]
    assert "datasets.threedident.source: render" in card["remedy"]
    assert not (tmp_path / "data/train_pictures.npy").exists()


def test_data_without_its_archives_or_folder_says_what_helps(tmp_path):
    with FileServer(status=404).running() as server:
        provide(archive_spec(), [server.url], tmp_path / "archives/train")
    unpack(DownloadedPictures(), [tmp_path / "archives/train/card.json"], tmp_path / "data", attempt=3)
    card = card_of(tmp_path / "data")
    assert f"no 3dident_train.tar: {server.url}: Not Found" in card["reason"]
    assert card["attempt"] == 3
    unpack(LocalPictures(path=str(tmp_path / "none")), [], tmp_path / "local")
    assert "there is no folder images in it" in card_of(tmp_path / "local")["reason"]
    assert "name another folder in datasets.threedident.path" in card_of(tmp_path / "local")["remedy"]
