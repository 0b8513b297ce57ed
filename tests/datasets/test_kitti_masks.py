"""KITTI Masks: from the published file to a data set, and what is refused."""

import json
import os
import pickle

import numpy as np
import pytest
from file_server import FileServer

from demix import fetch_file, obtain_data
from demix.datasets.common import card
from demix.datasets.common.checksums import RECORD, sha256_of
from demix.datasets.common.conversion import Inputs
from demix.datasets.common.images import open_images
from demix.datasets.kitti_masks import sequences_in
from demix.datasets.kitti_stand_in import KittiStandIn
from demix.specs.datasets.kitti_masks import KittiMasksSpec
from demix.support.errors import DataError

pytestmark = pytest.mark.usefixtures("no_proxy")
FILE = "kitti_peds_v2.pickle"
HINT = "or name a local copy in datasets.kitti_masks.path"


@pytest.fixture(scope="module")
def masks(tmp_path_factory):
    """Some made sequences, among them an empty one and one of a single frame, as lists of arrays."""
    made = KittiStandIn(sequences=6, frames=12, motion=1.0, seed=1).convert(Inputs(tmp_path_factory.mktemp("none")))
    ((frames, known),) = made.splits["train"].chunks
    ends = np.cumsum(made.splits["train"].lengths)[:-1]
    masks = [part[..., 0].astype(bool) for part in np.split(frames, ends)]
    factors = np.split(known["factors"], ends)
    return [*masks, masks[0][:0], masks[0][:1]], [*factors, np.zeros((0, 3)), factors[0][:1]]


def published_format(masks, protocol=3):
    return pickle.dumps({"pedestrians": masks[0], "pedestrians_latents": masks[1]}, protocol=protocol)


class Steps:
    """The two steps from the published file to data, in a folder, as the workflow makes them."""

    def __init__(self, root):
        self.file = root / "files/kitti_masks" / FILE
        self.fetched = root / f"files/kitti_masks/{FILE}-any/card.json"
        self.card = root / "kitti_masks/abc/card.json"

    def __call__(self, server=None, sha256=None, path=None):
        spec, urls = KittiMasksSpec(sha256=sha256), (server.url,) if server else ()
        (file,) = spec.files
        if not card.read_card(self.fetched).get("available"):
            attempt = card.next_attempt(self.fetched)
            fetch_file.provide(file, urls, self.fetched, path=path, hint=HINT, attempt=attempt)
        attempt = card.next_attempt(self.card)
        obtain_data.provide(spec, self.card.parent, "abc", attempt, files=[self.fetched], hint=HINT)
        return json.loads(self.card.read_text())


@pytest.fixture
def provided(tmp_path):
    return Steps(tmp_path)


@pytest.mark.parametrize("protocol", range(2, 6))
def test_the_published_format_is_fetched_and_converted(provided, masks, protocol):
    with FileServer(published_format(masks, protocol)).running() as server:
        about = provided(server)
    assert about["available"]
    assert about["counts"]["sequences"] == len(masks[0])
    assert about["counts"]["frames"] == sum(map(len, masks[0]))
    assert about["counts"]["neighbouring_pairs"] == sum(max(len(mask) - 1, 0) for mask in masks[0])
    assert about["statistics"]["length"]["lowest"] == 0
    data = open_images(provided.card.parent)
    assert isinstance(data.images["train"], np.memmap)
    assert data.images["train"].dtype == np.uint8
    assert data.white == 1
    assert np.array_equal(data.images["train"][..., 0], np.concatenate(masks[0]))
    assert np.allclose(data.known["train"]["factors"], np.concatenate(masks[1]))
    assert list(data.sequences["train"].lengths) == list(map(len, masks[0]))


def test_the_checksum_of_the_first_use_is_recorded_and_required(provided, masks):
    record = provided.file.parent / RECORD
    with FileServer(published_format(masks)).running() as server:
        provided(server)
        first = json.loads(record.read_text())[FILE]
        provided.file.unlink()
        provided.fetched.unlink()
        server.content = published_format(masks, protocol=4)
        about = provided(server)
        assert first["sha256"] in about["reason"]
        assert sha256_of(provided.file.with_name(f"{FILE}.refused")) in about["reason"]
        assert not about["available"]
        server.content = published_format(masks)
        assert provided(server)["available"]
    assert json.loads(record.read_text())[FILE] == first


def test_a_wrong_checksum_is_refused_with_both_named(provided, masks):
    with FileServer(published_format(masks)).running() as server:
        about = provided(server, sha256="0" * 64)
    found = sha256_of(provided.file.with_name(f"{FILE}.refused"))
    assert about["reason"] == f"no {FILE}: {FILE} has checksum {found}, but the configuration says {'0' * 64}"
    assert not (provided.file.parent / RECORD).exists()
    assert [path.name for path in provided.card.parent.iterdir()] == ["card.json"]


class Malicious:
    """Would leave a file behind if it were unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("protocol", range(2, 6))
def test_a_malicious_pickle_is_refused_and_not_run(provided, tmp_path, masks, protocol):
    content = {"pedestrians": masks[0], "pedestrians_latents": [Malicious(tmp_path / "ran")]}
    with FileServer(pickle.dumps(content, protocol=protocol)).running() as server:
        about = provided(server)
    assert not (tmp_path / "ran").exists()
    assert f"{FILE} is refused: it wants to call posix.mkdir; only arrays and lists are read" in about["reason"]
    assert HINT in about["remedy"]
    assert about["remedy"].endswith(f"(what was refused is {provided.file}.refused)")
    assert not (provided.file.parent / RECORD).exists()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.9999])
def test_a_truncated_pickle_is_refused_and_fetched_anew_the_next_time(provided, masks, share):
    whole = published_format(masks)
    with FileServer(whole[: int(share * len(whole))]).running() as server:
        about = provided(server)
        assert not about["available"]
        assert f"{FILE} is cut off" in about["reason"]
        server.content = whole
        assert provided(server)["available"]
    assert len(server.requests) == 2


def lists(masks, factors):
    return {"pedestrians": [masks], "pedestrians_latents": [factors]}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ([1, 2], "has no lists pedestrians and pedestrians_latents"),
        ({"pedestrians": []}, "has no lists"),
        ({"pedestrians": [], "pedestrians_latents": [1]}, "no lists of one length"),
        ({"pedestrians": [], "pedestrians_latents": []}, "no sequence has two frames"),
        (lists(np.zeros((2, 32, 32)), np.ones((2, 3))), "not (length, 64, 64)"),
        (lists(7 * np.ones((2, 64, 64)), np.ones((2, 3))), "more than 0 and 1"),
        (lists(np.ones((2, 64, 64)), np.ones((3, 3))), "2 masks but factors of shape"),
        (lists(np.ones((2, 64, 64)), np.nan * np.ones((2, 3))), "are not finite"),
    ],
)
def test_a_pickle_of_something_else_is_refused(tmp_path, content, reason):
    (tmp_path / FILE).write_bytes(pickle.dumps(content))
    with pytest.raises(DataError) as error:
        sequences_in(tmp_path / FILE)
    assert reason in str(error.value)


def test_a_local_copy_is_used_and_a_file_in_its_place_needs_no_source(provided, tmp_path, masks):
    copy = tmp_path / "my copy.pickle"
    copy.write_bytes(published_format(masks))
    assert provided(path=str(copy))["available"]
    copy.unlink()
    provided.fetched.unlink()
    assert provided(path=str(copy))["available"]  # it is there already
    provided.fetched.unlink()
    provided.file.unlink()
    assert f"{copy} cannot be copied" in provided(path=str(copy))["reason"]
    assert "no address to download from" in provided()["reason"]


def test_a_card_counts_attempts_until_the_data_is_there(provided, tmp_path, masks):
    path = provided.card
    assert card.next_attempt(path) == 1
    assert card.missing_after(path) is None
    with FileServer(published_format(masks), status=404).running() as server:
        provided(server)
        assert card.next_attempt(path) == 2
        assert card.missing_after(path, attempt=1)["reason"].endswith("Not Found")
        assert card.missing_after(path, attempt=2) is None  # that attempt has not been made yet
        server.status = None
        provided(server)
    assert card.next_attempt(path) == 2
    assert card.missing_after(path, attempt=2) is None
    with pytest.raises(DataError, match="not readable"):
        card.read_available(tmp_path / "card.json")
