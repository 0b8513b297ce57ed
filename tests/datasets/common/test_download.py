"""Downloads that go on where they broke off."""

import pytest
from file_server import FileServer

from demix.datasets.common.download import fetch
from demix.support.errors import DataError

CONTENT = bytes(range(256)) * 400  # 102,400 bytes


pytestmark = pytest.mark.usefixtures("no_proxy")


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
