"""3DIdent from published archives and from folders: checksums, archives that lie."""

import hashlib
import json
import re

import numpy as np
import pytest
from file_server import FileServer
from image_data import drawn, local_folder, npy, published_layout, spec_of, tar

from demix import fetch_file, obtain_data
from demix.datasets.common.images import open_images
from demix.specs.datasets import FileSpec
from demix.specs.datasets.common.threedident import SPLITS
from demix.specs.datasets.threedident_archives import ThreeDIdentArchivesSpec
from demix.specs.datasets.threedident_folder import ThreeDIdentFolderSpec
from demix.support.building import build

pytestmark = pytest.mark.usefixtures("no_proxy")
SPEC = spec_of(train=12, test=6, size=28)
MADE = {split: drawn(build(SPEC).latents(split), 28) for split in SPLITS}
FILES = {split: published_layout(SPEC, split, digits) for split, digits in (("train", 6), ("test", 5))}
ARCHIVES = {split: tar(FILES[split]) for split in SPLITS}
MD5 = {split: hashlib.md5(ARCHIVES[split]).hexdigest() for split in SPLITS}
NOWHERE = ["http://127.0.0.1:9/none"]
HINT = "or render the images: datasets.threedident.source: render"


def card_of(folder):
    return json.loads((folder / "card.json").read_text())


def archive(split="train", md5=None):
    return FileSpec(name=f"3dident_{split}.tar", md5=md5 or MD5[split])


def placed(tmp_path, **archives):
    """Cards of archives that lie where the download leaves them."""
    cards = []
    for split in SPLITS:
        content = archives.get(split, ARCHIVES[split])
        (tmp_path / "files").mkdir(exist_ok=True)
        (tmp_path / f"files/3dident_{split}.tar").write_bytes(content)
        card = tmp_path / f"files/{split}/card.json"
        fetch_file.provide(archive(split, hashlib.md5(content).hexdigest()), NOWHERE, card)
        cards.append(card)
    return cards


def obtained(spec, out, files=(), attempt=1):
    """The card after the step that converts archives or a folder."""
    obtain_data.provide(spec, out, "key", attempt, files=files, hint=HINT)
    return card_of(out)


def test_an_archive_is_fetched_resumed_and_checked(tmp_path):
    out = tmp_path / "files/0123"
    with FileServer(ARCHIVES["train"], break_after=[20_000]).running() as server:
        fetch_file.provide(archive(), [server.url], out / "card.json")
    assert server.requests[-1][1] == "bytes=20000-"
    card = card_of(out)
    assert card["available"]
    assert card["counts"] == {"bytes": len(ARCHIVES["train"])}
    assert card["statistics"]["sha256"] == hashlib.sha256(ARCHIVES["train"]).hexdigest()
    assert (tmp_path / "files/3dident_train.tar").read_bytes() == ARCHIVES["train"]
    fetch_file.provide(archive(), NOWHERE, out / "card.json", attempt=2)  # it is there
    assert card_of(out)["attempt"] == 2


def test_another_archive_is_moved_aside_and_both_checksums_are_named(tmp_path):
    out = tmp_path / "files/0123"
    with FileServer(ARCHIVES["test"]).running() as server:
        fetch_file.provide(archive(), [server.url], out / "card.json")
    card = card_of(out)
    assert not card["available"]
    assert f"has MD5 checksum {MD5['test']}, but the configuration says {MD5['train']}" in card["reason"]
    assert "3dident_train.tar.refused" in card["remedy"]
    assert not (tmp_path / "files/3dident_train.tar").exists()


@pytest.mark.parametrize("size", [28, 14])
def test_archives_become_a_folder_whatever_the_order_in_them(tmp_path, size):
    spec = ThreeDIdentArchivesSpec(train=10, test=6, size=size)
    card = obtained(spec, tmp_path / "data", placed(tmp_path))
    opened = open_images(tmp_path / "data")
    for split, count in (("train", 10), ("test", 6)):
        assert np.array_equal(opened.known[split]["factors"], build(SPEC).latents(split)[:count])
        wanted = MADE[split][:count]
        if size == 14:  # means over four pixels
            wanted = wanted.reshape(count, 14, 2, 14, 2, 3).astype(float).mean(axis=(2, 4))
        rounding = 0 if size == 28 else 1  # pillow rounds twice
        assert np.abs(opened.images[split] - wanted.astype(float)).max() <= rounding
    assert card["statistics"]["hue_mode"] == "published"
    assert card["statistics"]["source"] == "threedident_archives"


def test_a_folder_in_that_layout_gives_the_same_images(tmp_path):
    local_folder(tmp_path, SPEC)
    for path in (tmp_path, tmp_path / "3dident"):
        obtained(ThreeDIdentFolderSpec(path=str(path), train=12, test=6, size=28), tmp_path / "data")
        assert np.array_equal(open_images(tmp_path / "data").images["train"], MADE["train"])


TRAIN = FILES["train"]
WRONG = {
    "no tar": (b"<html>", "no tar archive"),
    "cut off": (ARCHIVES["train"][:9000], "3dident_train.tar is (damaged|cut off)|has no"),
    "no latents": (tar({name: data for name, data in TRAIN.items() if "raw" not in name}), "has no raw_latents.npy"),
    "an image is missing": (tar({name: d for name, d in TRAIN.items() if "000003" not in name}), "has no image 3"),
    "an image is damaged": (tar(TRAIN | {"3dident/train/images/000003.png": b"png"}), "image 3 is damaged"),
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
    "few": (tar(TRAIN | {"3dident/train/raw_latents.npy": npy(np.zeros((9, 10)))}), "has 9 images, but 12 are needed"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_archive_with_something_else_leaves_a_card_that_says_so(tmp_path, name):
    content, reason = WRONG[name]
    spec = ThreeDIdentArchivesSpec(train=12, test=6, size=28)
    card = obtained(spec, tmp_path / "data", placed(tmp_path, train=content))
    assert not card["available"]
    assert re.search(reason, card["reason"]), card["reason"]
    assert "datasets.threedident.source: render" in card["remedy"]
    assert not (tmp_path / "data/train_images.npy").exists()
    assert (tmp_path / "files/3dident_train.tar").exists()  # it has the checksum in the configuration


def test_data_without_its_archives_or_folder_says_what_helps(tmp_path):
    missing = tmp_path / "files/train/card.json"
    with FileServer(status=404).running() as server:
        fetch_file.provide(archive(), [server.url], missing, hint=HINT)
    card = obtained(ThreeDIdentArchivesSpec(), tmp_path / "data", [missing], attempt=3)
    assert f"no 3dident_train.tar: {server.url}: Not Found" in card["reason"]
    assert HINT in card["remedy"]
    assert card["attempt"] == 3
    card = obtained(ThreeDIdentFolderSpec(path=str(tmp_path / "none")), tmp_path / "local")
    assert "there is no folder images in it" in card["reason"]
    assert f"see to it, {HINT}, and give the same command again" in card["remedy"]
