"""Data sets of a user's own that are downloaded: from the addresses that their files name, or as `datasets` says."""

import hashlib
import json

import numpy as np
import pytest
from file_server import FileServer
from kites import file_content

from demix import fetch_file, obtain_data
from demix.experiment.keys import result_key
from demix.specs.base import parse
from demix.specs.datasets import FileSpec, dataset_from
from demix.support.errors import ConfigError
from demix.workflow import paths

CONTENT = file_content()
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def with_kites(data="kites:KitesSpec", **datasets):
    """A suite whose only run scores raw images of kites."""
    kites = {"problems": {"kites": {"kind": "images", "data": data, "pairs": "matched"}}}
    return {"suites": {"mine": kites | {"runs": {"raw_kites": {"problem": "kites"}}}}, "datasets": datasets}


def kites_at(*urls, **checksums):
    return {"kind": "kites:KitesSpec", "file": {"name": "kites.npz", "urls": list(urls), **checksums}}


def dataset(plan):
    return plan.experiment.runs["raw_kites"].spec.problem.dataset


def of_file(plan, wildcards, number=0):
    """Wildcards of a file of the data set."""
    spec = dataset(plan)
    return wildcards(source=paths.source_name(spec), file=paths.fetched_name(spec.files[number]))


def file_options(plan, wildcards, number=0):
    return plan.data.file_options(of_file(plan, wildcards, number), None)


@pytest.mark.usefixtures("no_proxy")
def test_a_file_is_fetched_from_its_own_address_and_converted(plan_of, wildcards, monkeypatch):
    with FileServer(CONTENT).running() as server:
        plan = plan_of(with_kites(kites_at(server.url, sha256=SHA256)))
        spec = dataset(plan)
        folder = paths.dataset_folder(spec)
        (card,) = plan.data.parts(wildcards(kind=folder.parent.name, name=folder.name))["files"]
        there = of_file(plan, wildcards)
        assert card == paths.data_root() / "files" / there.source / there.file / "card.json"
        words = ["--spec", plan.data.file_spec(there, None), *file_options(plan, wildcards), "--out", str(card)]
        monkeypatch.setattr("sys.argv", ["demix.fetch_file", *words])
        fetch_file.main()
        assert len(server.requests) == 1
    assert json.loads(card.read_text())["statistics"]["url"] == server.url
    obtain_data.provide(spec, folder, files=[card])
    assert json.loads((folder / "card.json").read_text())["counts"] == {"train": 4}
    assert list(np.load(folder / "train_labels.npy")) == [0, 1, 0, 1]


@pytest.mark.usefixtures("no_proxy")
def test_the_command_takes_the_addresses_of_the_spec_where_it_is_given_none(tmp_path, monkeypatch):
    card = tmp_path / "kites.npz-any/card.json"
    with FileServer(CONTENT).running() as server:
        spec = FileSpec(name="kites.npz", urls=(server.url,))
        monkeypatch.setattr("sys.argv", ["demix.fetch_file", "--spec", spec.model_dump_json(), "--out", str(card)])
        fetch_file.main()
    assert (tmp_path / "kites.npz").read_bytes() == CONTENT


def test_an_address_is_in_no_key_and_in_no_place(plan_of):
    plans = [plan_of(with_kites(kites_at(url))) for url in ("https://one/kites.npz", "https://another")]
    one, other = (dataset(plan) for plan in plans)
    assert one != other
    assert result_key(one) == result_key(other)
    places = [[paths.fetched_card("kites", file) for file in spec.files] for spec in (one, other)]
    assert places[0] == places[1]
    keys = [plan.experiment.runs["raw_kites"].key for plan in plans]
    assert keys[0] == keys[1]
    assert result_key(one) != result_key(dataset(plan_of(with_kites(kites_at(sha256=SHA256)))))


def test_what_is_known_of_its_images_is_in_the_data(tmp_path):
    card = tmp_path / "files/kites.npz-any/card.json"
    local = tmp_path / "kites.npz"
    np.savez(local, images=np.zeros((4, 8, 8, 1), np.uint8), factors=np.zeros((4, 1), np.float32))
    fetch_file.provide(FileSpec(name="kites.npz"), [], card, path=str(tmp_path))  # the folder that has it
    obtain_data.provide(dataset_from("kites:KitesSpec", "data"), tmp_path / "out", files=[card])
    assert "train: no labels, but the spec says that they are known" in (tmp_path / "out/card.json").read_text()


@pytest.mark.parametrize(
    ("data", "entry", "options"),
    [
        (kites_at("https://own"), {}, ["--urls", "https://own"]),
        (kites_at("https://own"), {"kites:KitesSpec": {"urls": ["https://m", "https://n"]}}, ["--urls", "https://m", "https://n"]),
        (kites_at("https://own"), {"kites:KitesSpec": {"path": "/d"}}, ["--urls", "https://own", "--path", "/d"]),
        ("kites:SharedSpec", {"kites": {"urls": {"kites.npz": ["https://m"]}}}, ["--urls", "https://m"]),
        ("kites:SharedSpec", {"kites": {"kind": "kites:ShelfSpec", "server": "https://s"}}, ["--urls", "https://s/kites.npz"]),
        ("kites:SharedSpec", {}, []),
    ],
)  # fmt: skip
def test_an_entry_of_the_configuration_says_otherwise(plan_of, wildcards, data, entry, options):
    words = file_options(plan_of(with_kites(data, **entry)), wildcards)
    hint = words.index("--hint")
    assert words[:hint] == options
    name = "kites" if data == "kites:SharedSpec" else "kites:KitesSpec"
    assert words[hint + 1] == f"or name a local copy in datasets.{name}.path"


def test_a_source_may_choose_another_data_set(plan_of):
    plan = plan_of(with_kites("kites:SharedSpec", kites={"kind": "kites:PinnedSpec"}))
    assert dataset(plan).kind == "kites:UnlabelledSpec"


@pytest.mark.parametrize(
    ("data", "datasets", "message"),
    [
        (
            "kites:SharedSpec",
            {"kits": {"path": "/d"}},
            "datasets: unknown data set 'kits' (did you mean 'kites'?); allowed: kites, kitti_",
        ),
        (
            "kites:KitesSpec",
            {"kites": {"path": "/d"}},
            "datasets: unknown data set 'kites' (did you mean 'kitti_masks'?); allowed: kites:KitesSpec, ",
        ),
        (
            "kites:SharedSpec",
            {"kites": {"urls": ["https://m"]}},
            "datasets.kites: urls: data set kites:SharedSpec has several files, give a list for each: ",
        ),
        (
            "kites:SharedSpec",
            {"kites": {"urls": {"name.txt": []}}},
            "datasets.kites: urls: unknown file 'name.txt' (did you mean 'names.txt'?)",
        ),
        ("kites:SharedSpec", {"kites": {"url": "x"}}, "datasets.kites: unknown key 'url' (did you mean 'urls'?)"),
        ("kites:SharedSpec", {"kites": {"kind": "kites:ShelfSpec"}}, "datasets.kites.server: this key is missing"),
        ("kites:SharedSpec", {"kites": {"kind": "kites:Kites"}}, "datasets.kites: kind kites:Kites: "),
        (
            "kites:SharedSpec",
            {"threedident": {"kind": "files"}},
            "datasets.threedident: data set threedident has to be rendered, which kind files cannot",
        ),
    ],
)
def test_a_source_that_cannot_be_is_named(plan_of, data, datasets, message):
    with pytest.raises(ConfigError) as error:
        plan_of(with_kites(data, **datasets))
    assert str(error.value).removeprefix("config.").startswith(message)
    assert "\n" not in str(error.value)


def test_an_entry_that_says_its_kind_may_wait_for_a_suite(plan_of):
    assert "kits" in plan_of(with_kites(kits={"kind": "files", "path": "/d"})).experiment.datasets


@pytest.mark.parametrize("name", ["../kites.npz", "a/b", ".hidden", ""])
def test_a_file_has_a_plain_name(name):
    with pytest.raises(ConfigError, match=r"file\.name: string should match pattern"):
        parse(FileSpec, {"name": name}, "file")
