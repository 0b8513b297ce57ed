"""Files that are fetched for data sets: the command and its card."""

import hashlib
import json
import subprocess
import sys

import pytest
from file_server import FileServer
from project import ROOT, environment

from demix.fetch_file import provide
from demix.specs.datasets import FileSpec

pytestmark = pytest.mark.usefixtures("no_proxy")
CONTENT = bytes(range(256)) * 40


def card_of(folder):
    return json.loads((folder / "card.json").read_text())


def test_the_file_lies_beside_the_folder_of_its_card(tmp_path):
    out = tmp_path / "files/mine/data.bin-any"
    with FileServer(CONTENT).running() as server:
        provide(FileSpec(name="data.bin"), [server.url], out / "card.json")
    assert (tmp_path / "files/mine/data.bin").read_bytes() == CONTENT
    card = card_of(out)
    digest = hashlib.sha256(CONTENT).hexdigest()
    assert card["available"]
    assert card["counts"] == {"bytes": len(CONTENT)}
    assert card["statistics"] == {"sha256": digest, "origin": server.url, "url": server.url}
    assert not (tmp_path / "files/mine/checksums.json").exists()  # whether it is any good is not known yet


@pytest.mark.parametrize("kind", ["md5", "sha256"])
def test_a_file_with_another_checksum_is_moved_aside(tmp_path, kind):
    wanted = "0" * (32 if kind == "md5" else 64)
    out = tmp_path / "data.bin-00000000"
    with FileServer(CONTENT).running() as server:
        provide(FileSpec(name="data.bin", **{kind: wanted}), [server.url], out / "card.json", hint="or ask a friend")
    card = card_of(out)
    assert hashlib.new(kind, CONTENT).hexdigest() in card["reason"]
    assert f"the configuration says {wanted}" in card["reason"]
    assert card["remedy"] == (
        f"get data.bin from {server.url} with any tool, put it at {tmp_path / 'data.bin'}, or ask a friend, and give "
        f"the same command again (what was refused is {tmp_path / 'data.bin'}.refused)"
    )
    assert not (tmp_path / "data.bin").exists()


def test_the_command_ends_well_without_the_file(tmp_path):
    card = tmp_path / "k/abc/card.json"
    arguments = [
        "--spec",
        '{"name": "data.bin"}',
        "--urls",
        "http://127.0.0.1:9/x",
        "--attempt",
        "2",
        "--out",
        str(card),
    ]
    command = [sys.executable, "-c", "import demix.datasets.common.download as d; d.PAUSES = (); import runpy; "
               "runpy.run_module('demix.fetch_file', run_name='__main__')"]  # fmt: skip
    result = subprocess.run([*command, *arguments], capture_output=True, text=True, env=environment(ROOT))
    assert result.returncode == 0
    assert "demix: no data.bin: http://127.0.0.1:9/x: [Errno 111] Connection refused" in result.stderr
    content = json.loads(card.read_text())
    assert (content["available"], content["attempt"], content["spec"]["name"]) == (False, 2, "data.bin")
