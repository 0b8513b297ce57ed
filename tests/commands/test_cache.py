"""The command that looks after the shared cache: what it lists, explains, verifies and prunes."""

import os
import re
import subprocess
import sys
import time

import pytest
from project import CONFIG

from demix.experiment.experiment import load_experiment
from demix.experiment.keys import key_parts
from demix.experiment.run import TRAINING_MODULES
from demix.workflow.store import Store

RUN = "sph-uni-vmf1_sph-vmf1"
DAY = 86400


@pytest.fixture
def store(tmp_path):
    """A cache with seed 0 of one run at scale smoke, and one of another run."""
    store, out = Store(tmp_path / "cache"), tmp_path / "out"
    out.mkdir()
    (out / "weights").write_bytes(bytes(5000))
    runs = load_experiment(CONFIG, scale="smoke").runs
    for name in (RUN, "sup_box-uni_box"):
        parts = key_parts(runs[name].spec, *TRAINING_MODULES, evaluation=False)
        assert store.put("train", runs[name].key, "seed0", out, ("weights",), name=name, parts=parts)
    return store


def cache(store, *arguments, code=0):
    result = subprocess.run(
        [sys.executable, "-m", "demix.cache", *arguments],
        capture_output=True, text=True, env=os.environ | {"DEMIX_CACHE": str(store.root) if store else ""},
    )  # fmt: skip
    assert result.returncode == code, result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    return result.stdout + result.stderr


def damage(store):
    weights = next(store.entries()).folder / "weights"
    weights.chmod(0o600)
    weights.write_bytes(bytes(4999) + b"1")


def aged(store, run, days):
    entry = next(entry for entry in store.entries() if entry.manifest["name"] == run)
    os.utime(entry.folder, (time.time() - days * DAY,) * 2)


def test_it_lists_what_is_there(store):
    said = cache(store, "list")
    assert re.search(rf"train +{RUN} +seed0 ", said)
    assert len(said.splitlines()) == 3


def test_a_hit_and_a_seed_that_is_missing(store):
    said = cache(store, "explain", "--scale", "smoke", RUN)
    assert "  in the cache: seed 0\n  not in the cache: seed 1\n    other seeds of it are\n" in said


def test_a_changed_setting_is_the_reason_for_a_miss(store, tmp_path):
    (tmp_path / "mine.yaml").write_text(
        "suites: {icml_synthetic: {scales: {smoke: {trainings: {'*': {steps: 30, learning_rate: 0.01}}}}}}"
    )
    said = cache(store, "explain", "--scale", "smoke", RUN, "--configfile", str(tmp_path / "mine.yaml"))
    assert f"the nearest entry, {RUN}" in said
    assert "spec: training.steps: 20 → 30" in said
    assert "spec: training.learning_rate: 0.001 → 0.01" in said
    assert said.count(" → ") == 2
    assert "code:" not in said


def test_changed_code_and_another_version_are_reasons_too():
    from demix.cache import differences

    stored = {"spec": {"a": {"b": 1}}, "code": {"m": "1", "old": "1"}, "versions": {"torch": "2.1"}}
    wanted = {"spec": {"a": {"b": 1}}, "code": {"m": "2", "new": "1"}, "versions": {"torch": "2.2"}}
    assert differences(stored, wanted) == [
        "code: m changed", "code: new new", "code: old not used any more", "versions: torch: 2.1 → 2.2"
    ]  # fmt: skip
    assert differences(stored, stored) == []


def test_a_miss_in_an_empty_cache_and_a_misspelt_run_are_told_apart(tmp_path):
    assert "nothing has been stored yet" in cache(Store(tmp_path / "new"), "explain", "--scale", "smoke", RUN)
    assert f"(did you mean '{RUN}'?)" in cache(Store(tmp_path / "new"), "explain", RUN.replace("vmf1", "vfm1"), code=1)


def test_damage_is_found_explained_and_removed(store):
    assert cache(store, "verify") == "2 entries\n"
    damage(store)
    assert "weights has other contents than were stored" in cache(store, "verify", code=1)
    assert "; removed\n2 entries\n" in cache(store, "verify", "--remove")
    assert cache(store, "verify") == "1 entries\n"


def test_what_nobody_took_for_long_is_pruned_and_a_dry_run_only_says_so(store):
    aged(store, RUN, days=100)
    assert f"would remove train             {RUN}" in cache(store, "prune", "--days", "90", "-n")
    assert len(list(store.entries())) == 2
    assert f"removed train             {RUN}" in cache(store, "prune", "--days", "90")
    assert [entry.manifest["name"] for entry in store.entries()] == ["sup_box-uni_box"]


def test_taking_an_entry_counts_as_use(store, tmp_path):
    aged(store, RUN, days=100)
    key = load_experiment(CONFIG, scale="smoke").runs[RUN].key
    assert store.take("train", key, "seed0", tmp_path / "taken")
    cache(store, "prune", "--days", "90")
    assert len(list(store.entries())) == 2


def test_the_oldest_go_first_when_there_is_too_much(store):
    aged(store, "sup_box-uni_box", days=2)
    largest = max(entry.size for entry in store.entries())
    cache(store, "prune", "--gb", str(largest / 1e9))
    assert [entry.manifest["name"] for entry in store.entries()] == [RUN]


def test_without_a_cache_or_a_limit_the_mistake_is_named(store):
    assert "DEMIX_CACHE is not set" in cache(None, "list", code=1)
    assert "prune: give --days or --gb" in cache(store, "prune", code=1)
