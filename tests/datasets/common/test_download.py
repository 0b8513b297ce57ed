"""Downloads, checksums, foreign pickles and data cards."""

import json
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from file_server import FileServer

from demix.datasets import card
from demix.datasets.common.checksums import RECORD, sha256_of
from demix.datasets.common.download import fetch
from demix.datasets.common.mask_folder import read_sequences
from demix.datasets.common.safe_pickle import load_arrays
from demix.datasets.kitti_masks import FILE, KittiMasksFile
from demix.datasets.kitti_stand_in import KittiStandIn
from demix.download_kitti_masks import provide
from demix.specs import mask_pairs as specs
from demix.specs.workflow import Source
from demix.support.errors import DataError

CONTENT = bytes(range(256)) * 400  # 102,400 bytes


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def get(url, target, tries=0, **options):
    return fetch([url] if isinstance(url, str) else url, target, pauses=[0.0] * tries, timeout=5.0, **options)


def test_a_file_is_downloaded_whole_and_leaves_nothing_beside_it(tmp_path):
    with FileServer(CONTENT).running() as server:
        assert get(server.url, tmp_path / "data/file") == server.url
    assert (tmp_path / "data/file").read_bytes() == CONTENT
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["file"]


def test_a_download_that_broke_off_goes_on_where_it_was(tmp_path):
    with FileServer(CONTENT, break_after=[30_000]).running() as server:
        with pytest.raises(DataError, match="broke off after 30,000 of 102,400 bytes"):
            get(server.url, tmp_path / "file")
        assert not (tmp_path / "file").exists()
        get(server.url, tmp_path / "file")
    assert [wanted for _, wanted in server.requests] == [None, "bytes=30000-"]
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_it_also_goes_on_within_one_call(tmp_path):
    with FileServer(CONTENT, break_after=[30_000, 20_000]).running() as server:
        get(server.url, tmp_path / "file", tries=2)
    assert [wanted for _, wanted in server.requests] == [None, "bytes=30000-", "bytes=50000-"]
    assert (tmp_path / "file").read_bytes() == CONTENT


@pytest.mark.parametrize(("ranges", "validator"), [(False, '"one"'), (True, None), (True, 'W/"weak"')])
def test_a_server_that_cannot_go_on_begins_anew(tmp_path, ranges, validator):
    with FileServer(CONTENT, ranges=ranges, validator=validator, break_after=[30_000]).running() as server:
        get(server.url, tmp_path / "file", tries=1)
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_parts_of_two_versions_are_not_put_together(tmp_path):
    with FileServer(CONTENT, break_after=[30_000]).running() as server:
        with pytest.raises(DataError):
            get(server.url, tmp_path / "file")
        server.content, server.validator = CONTENT[::-1], '"two"'
        get(server.url, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == CONTENT[::-1]


def test_mirrors_are_tried_in_turn_and_all_troubles_are_named(tmp_path):
    with FileServer(status=404).running() as lost, FileServer(CONTENT).running() as mirror:
        assert get([lost.url, mirror.url], tmp_path / "file", tries=2) == mirror.url
        assert len(lost.requests) == 1  # another try would not help
        with pytest.raises(DataError) as error:
            get([lost.url, "http://127.0.0.1:9/file"], tmp_path / "other")
    assert f"{lost.url}: Not Found" in str(error.value)
    assert "http://127.0.0.1:9/file: [Errno 111] Connection refused" in str(error.value)


def test_an_overloaded_server_is_asked_again(tmp_path):
    with FileServer(CONTENT, status=503).running() as server, pytest.raises(DataError, match="Service Unavailable"):
        get(server.url, tmp_path / "file", tries=2)
    assert len(server.requests) == 3


def test_the_proxy_of_the_environment_is_used(tmp_path, monkeypatch):
    with FileServer(CONTENT).running() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        get("http://data.invalid/file", tmp_path / "file")
    assert proxy.requests == [("http://data.invalid/file", None)]
    assert (tmp_path / "file").read_bytes() == CONTENT


# ------------------------------------------------------------------------------------------------------- KITTI Masks


@pytest.fixture(scope="module")
def masks():
    """Some made sequences, among them an empty one and one of a single frame, as lists of arrays."""
    made = KittiStandIn(sequences=6, frames=12, motion=1.0, seed=1).sequences()
    ends = np.cumsum(made.lengths)[:-1]
    masks = [part.astype(bool) for part in np.split(made.frames, ends)]
    return [*masks, masks[0][:0], masks[0][:1]], [*np.split(made.factors, ends), np.zeros((0, 3)), made.factors[:1]]


def published_format(masks, protocol=3):
    return pickle.dumps({"pedestrians": masks[0], "pedestrians_latents": masks[1]}, protocol=protocol)


def provided(tmp_path, server, attempt=1, sha256=None, **source):
    """The card after the step that fetches and converts the data."""
    spec = specs.KittiMasksFile(sha256=sha256)
    urls = (server.url,) if server else ()
    provide(spec, Source(urls=urls, **source), tmp_path / "kitti_masks/abc", "abc", attempt)
    return json.loads((tmp_path / "kitti_masks/abc/card.json").read_text())


@pytest.mark.parametrize("protocol", range(2, 6))
def test_the_published_format_is_fetched_and_converted(tmp_path, masks, protocol):
    with FileServer(published_format(masks, protocol)).running() as server:
        about = provided(tmp_path, server)
    assert about["available"]
    assert about["counts"]["sequences"] == len(masks[0])
    assert about["counts"]["frames"] == sum(map(len, masks[0]))
    assert about["counts"]["neighbouring_pairs"] == sum(max(len(mask) - 1, 0) for mask in masks[0])
    assert about["statistics"]["length"]["lowest"] == 0
    sequences = read_sequences(tmp_path / "kitti_masks/abc")
    assert isinstance(sequences.frames, np.memmap)
    assert sequences.frames.dtype == np.uint8
    assert np.array_equal(sequences.frames, np.concatenate(masks[0]))
    assert np.allclose(sequences.factors, np.concatenate(masks[1]))
    assert list(sequences.lengths) == list(map(len, masks[0]))


def test_the_checksum_of_the_first_use_is_written_down_and_asked_for(tmp_path, masks):
    with FileServer(published_format(masks)).running() as server:
        provided(tmp_path, server)
        record = json.loads((tmp_path / "kitti_masks" / RECORD).read_text())[FILE]
        (tmp_path / "kitti_masks" / FILE).unlink()
        server.content = published_format(masks, protocol=4)
        about = provided(tmp_path, server)
        assert record["sha256"] in about["reason"]
        assert sha256_of(tmp_path / "kitti_masks" / f"{FILE}.refused") in about["reason"]
        assert not about["available"]
        server.content = published_format(masks)
        assert provided(tmp_path, server, attempt=2)["available"]
    assert json.loads((tmp_path / "kitti_masks" / RECORD).read_text())[FILE] == record


def test_a_wrong_checksum_is_refused_with_both_named(tmp_path, masks):
    with FileServer(published_format(masks)).running() as server:
        about = provided(tmp_path, server, sha256="0" * 64)
    found = sha256_of(tmp_path / "kitti_masks" / f"{FILE}.refused")
    assert about["reason"] == (f"no KITTI Masks: {FILE} has checksum {found}, but the configuration says {'0' * 64}")
    assert not (tmp_path / "kitti_masks" / RECORD).exists()
    assert not (tmp_path / "kitti_masks/abc/frames.npy").exists()


class Malicious:
    """Would leave a file behind if it were unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("protocol", range(2, 6))
def test_a_malicious_pickle_is_refused_and_not_run(tmp_path, masks, protocol):
    content = {"pedestrians": masks[0], "pedestrians_latents": [Malicious(tmp_path / "ran")]}
    with FileServer(pickle.dumps(content, protocol=protocol)).running() as server:
        about = provided(tmp_path, server)
    assert not (tmp_path / "ran").exists()
    assert f"{FILE} is refused: it wants to call posix.mkdir; only arrays and lists are read" in about["reason"]
    assert about["remedy"].endswith(f"(what was refused is {tmp_path}/kitti_masks/{FILE}.refused)")


@pytest.mark.parametrize(
    "content",
    [
        b"cbuiltins\neval\n(V1+1\ntR.",
        b"cnumpy\nfromfile\n(V/etc/passwd\ntR.",
        b"c_codecs\ndecode\n(V61\nVhex\ntR.",
        b"c_codecs\nencode\n(V61\nVhex\ntR.",  # the allowed name with another encoding
        b"cnumpy.core.multiarray\nscalar\n.",
        pickle.dumps([np.float64]),
    ],
)
def test_nothing_but_arrays_is_made_from_a_pickle(tmp_path, content):
    (tmp_path / "a.pickle").write_bytes(content)
    with pytest.raises(DataError, match=r"a\.pickle is refused: (it wants to call|encoding)"):
        load_arrays(tmp_path / "a.pickle")


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.9999])
def test_a_truncated_pickle_is_refused(tmp_path, masks, share):
    whole = published_format(masks)
    with FileServer(whole[: int(share * len(whole))]).running() as server:
        about = provided(tmp_path, server)
    assert not about["available"]
    assert f"{FILE} is cut off" in about["reason"]


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
        KittiMasksFile(sha256=None).sequences(tmp_path / FILE)
    assert reason in str(error.value)


def test_a_local_copy_is_used_and_a_file_in_its_place_needs_no_source(tmp_path, masks):
    copy = tmp_path / "my copy.pickle"
    copy.write_bytes(published_format(masks))
    assert provided(tmp_path, None, path=str(copy))["available"]
    copy.unlink()
    assert provided(tmp_path, None, path=str(copy))["available"]  # it is there already
    (tmp_path / "kitti_masks" / FILE).unlink()
    assert f"datasets.kitti_masks.path: {copy} cannot be copied" in provided(tmp_path, None, path=str(copy))["reason"]
    assert "no address to download from" in provided(tmp_path, None)["reason"]


def test_a_card_counts_attempts_until_the_data_is_there(tmp_path, masks):
    path = tmp_path / "kitti_masks/abc/card.json"
    assert card.next_attempt(path) == 1
    assert card.missing_after(path) is None
    with FileServer(published_format(masks), status=404).running() as server:
        provided(tmp_path, server, attempt=card.next_attempt(path))
        assert card.next_attempt(path) == 2
        assert card.missing_after(path, attempt=1)["reason"].endswith("Not Found")
        assert card.missing_after(path, attempt=2) is None  # that attempt has not been made yet
        server.status = None
        provided(tmp_path, server, attempt=card.next_attempt(path))
    assert card.next_attempt(path) == 2
    assert card.missing_after(path, attempt=2) is None
    with pytest.raises(DataError, match="not readable"):
        card.read_available(tmp_path / "card.json")


def test_the_command_ends_well_without_the_data(tmp_path):
    arguments = ["--spec", "{}", "--source", '{"urls": ["http://127.0.0.1:9/x"]}', "--out", str(tmp_path / "k/abc")]
    command = [sys.executable, "-c", "import demix.datasets.common.download as d; d.PAUSES = (); import runpy; "
               "runpy.run_module('demix.download_kitti_masks', run_name='__main__')"]  # fmt: skip
    result = subprocess.run([*command, *arguments], capture_output=True, text=True)
    assert result.returncode == 0
    assert "demix: no KITTI Masks: http://127.0.0.1:9/x: [Errno 111] Connection refused" in result.stderr
    content = json.loads((tmp_path / "k/abc/card.json").read_text())
    assert (content["available"], content["spec"]["kind"]) == (False, "kitti_masks")


def test_the_stand_in_is_the_same_every_time_and_has_the_published_format():
    spec = {"sequences": 12, "frames": 15, "motion": 1.0}
    first, again = (KittiStandIn(**spec, seed=3).sequences() for _ in range(2))
    other = KittiStandIn(**spec, seed=4).sequences()
    assert np.array_equal(first.frames, again.frames)
    assert first.frames.shape[1:] == (64, 64)
    assert set(np.unique(first.frames)) == {0, 1}
    assert not np.array_equal(first.lengths, other.lengths)
    areas = first.frames.sum(axis=(1, 2))
    assert np.array_equal(areas, first.factors[:, 2])
    assert areas.min() >= 30
    middle = np.argwhere(first.frames[0]).mean(axis=0)
    assert np.allclose(first.factors[0, :2], middle)
    assert (np.abs(np.diff(first.factors[:, 0])) < 40).all()


def test_silhouettes_are_hidden_by_posts_and_by_the_border():
    made = KittiStandIn(sequences=40, frames=10, motion=1.0, seed=0).sequences()
    at_border = made.frames[:, :, [0, -1]].any(axis=(1, 2))
    columns = made.frames.any(axis=1)
    gaps = [(np.diff(np.flatnonzero(column)) > 1).any() for column in columns]  # a post parts a silhouette
    assert 0.02 < at_border.mean() < 0.5
    assert 0.005 < np.mean(gaps) < 0.5


def test_steps_of_the_stand_in_are_heavy_tailed_and_grow_with_the_motion():
    def steps(motion):
        made = KittiStandIn(sequences=60, frames=40, motion=motion, seed=0).sequences()
        within = np.repeat(np.arange(60), made.lengths)
        return np.diff(made.factors[:, 1])[within[1:] == within[:-1]]

    slow, fast = steps(1.0), steps(3.0)
    kurtosis = np.mean((slow - slow.mean()) ** 4) / slow.var() ** 2
    assert kurtosis > 6  # 3 for a normal density, 6 for Laplace
    assert fast.std() > 1.5 * slow.std()
