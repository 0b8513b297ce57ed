"""The shared cache: whole entries or none, the same for every user, and never in the way of a result."""

import json
import os
import stat
import subprocess
import sys
import threading

import pytest
from project import CONFIG

from demix.experiment.keys import result_key
from demix.experiment.run import TRAINING_MODULES
from demix.specs.problems.synthetic import SyntheticProblemSpec
from demix.support.errors import ConfigError
from demix.synthetic_problem import RESULTS
from demix.workflow.store import Entry, Slot, Store

KEY = "ab" * 32
FILES = ("weights", "record")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "cache")


@pytest.fixture
def result(tmp_path):
    folder = tmp_path / "result"
    folder.mkdir()
    (folder / "weights").write_bytes(bytes(range(200)))
    (folder / "record").write_text("finished")
    return folder


def put(store, result, part="seed0"):
    return store.put("train", KEY, part, result, FILES, name="a run", parts={})


def taken(store, out, part="seed0"):
    return store.take("train", KEY, part, out)


def test_what_is_put_is_taken_and_is_a_copy(store, result, tmp_path):
    assert put(store, result)
    assert taken(store, tmp_path / "out")
    for name in FILES:
        assert (tmp_path / "out" / name).read_bytes() == (result / name).read_bytes()
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(FILES)
    (tmp_path / "out/weights").write_text("scribbled")  # a result is its owner's to change
    assert store.holds("train", KEY, "seed0")


def test_parts_kinds_and_keys_are_apart(store, result, tmp_path):
    put(store, result)
    assert not taken(store, tmp_path / "out", part="seed1")
    assert not store.take("synthetic_problem", KEY, "seed0", tmp_path / "out")
    assert not store.take("train", "ac" * 32, "seed0", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda folder: (folder / "weights").unlink(), "weights is missing"),
        (lambda folder: rewrite(folder / "weights", b"short"), "weights has 5 bytes in place of 200"),
        (lambda folder: rewrite(folder / "weights", bytes(200)), "weights has other contents than were stored"),
        (lambda folder: rewrite(folder / "entry.json", b'{"kind": '), "not readable as JSON"),
        (lambda folder: rewrite(folder / "entry.json", b"[]"), "not the manifest of a cache entry"),
        (lambda folder: (folder / "entry.json").unlink(), "not readable as JSON"),
    ],
)
def test_a_damaged_entry_is_not_taken_and_is_replaced(store, result, tmp_path, capsys, harm, said):
    put(store, result)
    entry = next(store.entries())
    harm(entry.folder)
    assert said in Entry(entry.folder).damage()
    assert not taken(store, tmp_path / "out")
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert put(store, result)
    assert taken(store, tmp_path / "out")


def test_entries_are_found_whatever_their_kind_and_say_which_sets_they_have(store, result):
    put(store, result)
    store.put("my_step", KEY, "train-000000", result, FILES, name="a shard", parts={}, sets={"test": "0123abcd"})
    entries = {entry.manifest["kind"]: entry for entry in store.entries()}
    assert {kind: entry.manifest["part"] for kind, entry in entries.items()} == {
        "train": "seed0", "my_step": "train-000000"
    }  # fmt: skip
    assert entries["my_step"].sets == {"test": "0123abcd"}
    assert entries["train"].sets == {}


def test_a_damaged_entry_is_replaced_by_a_result_that_was_made_without_it(store, result):
    put(store, result)
    rewrite(next(store.entries()).folder / "weights", bytes(200))
    assert put(store, result)
    assert store.holds("train", KEY, "seed0")


def rewrite(path, content):
    path.chmod(0o600)
    path.write_bytes(content)


def test_a_process_that_is_killed_while_it_stores_leaves_no_entry(store, result):
    code = (
        "import os, signal, sys; from pathlib import Path; from demix.workflow.store import Store\n"
        "os.rename = lambda *a: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"Store(Path(sys.argv[1])).put('train', {KEY!r}, 'seed0', Path(sys.argv[2]), {FILES!r}, name='', parts={{}})"
    )
    assert subprocess.run([sys.executable, "-c", code, str(store.root), str(result)]).returncode < 0
    assert len(list((store.root / "incoming").iterdir())) == 1
    assert not list(store.entries())
    assert put(store, result)
    store.clear_leftovers(older_than=3600)
    assert list((store.root / "incoming").iterdir())
    store.clear_leftovers(older_than=-1)
    assert not list((store.root / "incoming").iterdir())


def test_of_many_who_store_at_once_one_wins_and_nobody_fails(store, result):
    stored = []
    threads = [threading.Thread(target=lambda: stored.append(put(store, result))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(stored) == 1
    assert store.holds("train", KEY, "seed0")
    assert not list((store.root / "incoming").iterdir())


@pytest.mark.parametrize("umask", [0o077, 0o022, 0o000])
def test_who_may_use_an_entry_is_what_the_mode_of_the_cache_says_whatever_the_umask(tmp_path, result, umask):
    root = tmp_path / "cache"
    root.mkdir()
    root.chmod(0o2770)
    before = os.umask(umask)
    try:
        put(Store(root), result)
    finally:
        os.umask(before)
    folder = next(Store(root).entries()).folder
    assert stat.S_IMODE((folder / "weights").stat().st_mode) == 0o440
    for path in (folder, *list(folder.parents)[:2]):
        assert stat.S_IMODE(path.stat().st_mode) == 0o2770


@pytest.mark.skipif(os.geteuid() != 0, reason="becoming another user takes root")
def test_another_user_of_the_group_takes_and_replaces_entries(tmp_path, result):
    root = tmp_path / "cache"
    root.mkdir()
    os.chown(root, 0, 12345)
    root.chmod(0o2770)
    for path in (tmp_path, *tmp_path.parents):
        path.chmod(path.stat().st_mode | 0o011)
    result.chmod(0o755)
    put(Store(root), result)
    code = (
        "import getpass, os, sys; from pathlib import Path; from demix.workflow.store import Store\n"
        "os.setgroups([]); os.setgid(12345); os.setuid(54321); os.umask(0o077)\n"
        "store, result = Store(Path(sys.argv[1])), Path(sys.argv[2])\n"
        f"assert store.holds('train', {KEY!r}, 'seed0')\n"
        "assert store.remove(next(store.entries()))\n"
        f"assert store.put('train', {KEY!r}, 'seed0', result, {FILES!r}, name='', parts={{}})\n"
    )
    outcome = subprocess.run([sys.executable, "-c", code, str(root), str(result)], capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stderr
    assert Store(root).holds("train", KEY, "seed0")


def test_a_cache_that_cannot_be_written_costs_no_result(store, result, capsys, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    assert not put(store, result)
    assert "not stored (No space left on device); the result itself is complete" in capsys.readouterr().err
    assert not list(store.entries())
    assert not list((store.root / "incoming").iterdir())


def test_a_cache_that_is_no_folder_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match=r"DEMIX_CACHE: .*file is no usable folder"):
        Store(tmp_path / "file")


@pytest.mark.parametrize("value", [None, ""])
def test_without_the_variable_there_is_no_cache(monkeypatch, value):
    monkeypatch.setenv("DEMIX_CACHE", value) if value is not None else monkeypatch.delenv("DEMIX_CACHE", raising=False)
    assert Store.from_environment() is None


SPEC = {"space": "box", "dim": 2, "marginal": "uniform", "generator": {"candidates": 5}, "evaluation_samples": 8}


def draw(out, key, cache, *arguments):
    command = [sys.executable, "-m", "demix.synthetic_problem", "--spec", json.dumps(SPEC), "--seed", "1"]
    command += ["--key", key, "--out", str(out), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"DEMIX_CACHE": str(cache)})
    assert result.returncode == 0, result.stderr
    return result.stderr


def test_a_command_takes_from_the_cache_what_another_has_put_there(tmp_path):
    key = result_key(SyntheticProblemSpec.model_validate(SPEC))
    assert draw(tmp_path / "one", key, tmp_path / "cache") == ""
    assert "taken from" in draw(tmp_path / "other", key, tmp_path / "cache")
    for name in RESULTS:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_a_key_that_code_or_spec_no_longer_give_is_not_cached(tmp_path):
    said = draw(tmp_path / "one", KEY, tmp_path / "cache")
    assert f"code or libraries have changed since key {KEY[:8]} was planned" in said
    assert not list(Store(tmp_path / "cache").entries())


def test_a_slot_without_a_cache_does_nothing(monkeypatch, tmp_path):
    monkeypatch.delenv("DEMIX_CACHE", raising=False)
    slot = Slot("train", KEY, "seed0", "a run", None)  # the spec is not even looked at
    assert not slot.take(tmp_path)
    slot.put(tmp_path, FILES)


def test_an_entry_that_comes_from_other_external_data_is_left_alone(monkeypatch, tmp_path, result, capsys):
    from demix.experiment.experiment import load_experiment

    run = load_experiment(CONFIG, scale="paper").runs["kitti-lap-unb-k1"]
    monkeypatch.setenv("DEMIX_CACHE", str(tmp_path / "cache"))

    def slot(data):
        return Slot("train", run.key, "seed0", run.id, run.spec, TRAINING_MODULES, evaluation=False, data=data)

    slot("one").put(result, FILES)
    assert slot("one").take(tmp_path / "out")
    assert not slot("other").take(tmp_path / "elsewhere")
    assert "made from other data, not used" in capsys.readouterr().err
    store = Store(tmp_path / "cache")
    held = [store.holds("train", run.key, "seed0", data=data) for data in ("one", "other", None)]
    assert held == [True, False, True]
