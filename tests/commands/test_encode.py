"""Encoding without training: sets of a finished run, and raw images."""

import numpy as np
import pytest
from image_data import made_folder, spec_of

from demix.encode import encode_set, score_raw
from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.support.codes import read_codes
from demix.support.errors import ConfigError, DataError
from demix.support.provenance import Provenance
from demix.training.job import train_job

SPEC = spec_of(held={"alpha": 0, "beta": 0, "gamma": 0, "spot": 0, "hue_spot": 0})
MODEL = {"encoder": "resnet18", "output": "box", "objective": {"kind": "lp_infonce", "exponent": 2}}


def run_spec(model=True, **evaluation):
    problem = {"kind": "images", "data": SPEC, "pairs": "matched", "evaluation_batch": 8, **evaluation}
    trained = {"model": MODEL, "training": {"steps": 2, "batch_size": 8}} if model else {}
    return parse(RunSpec, {"problem": problem, **trained}, "run")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Data card and results of a run with all its sets."""
    root = tmp_path_factory.mktemp("run")
    card = made_folder(root / "data", SPEC) / "card.json"
    train_job(run_spec(eval_mode=True), 0, card, root / "seed0", "run", "key", "cpu")
    return card, root / "seed0"


def test_a_set_is_encoded_later_to_the_same_bits(finished, tmp_path):
    card, folder = finished
    codes = read_codes(folder / "codes.npz")
    for name in ("test", "train_eval_mode"):
        encode_set(run_spec(eval_mode=True), 0, card, folder / "encoder.pt", name, tmp_path / "set.npz", "cpu")
        ((again, found),) = read_codes(tmp_path / "set.npz").items()
        assert again == name
        assert np.array_equal(found.codes, codes[name].codes)
        assert np.array_equal(found.known["factors"], codes[name].known["factors"])


def test_a_set_may_have_other_samples_than_the_training_had(finished, tmp_path):
    card, folder = finished
    spec = run_spec(evaluation_samples=10)
    encode_set(spec, 0, card, folder / "encoder.pt", "test", tmp_path / "set.npz", "cpu")
    (found,) = read_codes(tmp_path / "set.npz").values()
    assert found.codes.shape == (10, 5)
    with pytest.raises(ConfigError, match=r"--set tests: unknown evaluation set 'tests' \(did you mean 'test'\?\)"):
        encode_set(spec, 0, card, folder / "encoder.pt", "tests", tmp_path / "set.npz", "cpu")
    (tmp_path / "encoder.pt").write_bytes((folder / "encoder.pt").read_bytes()[:1000])
    with pytest.raises(DataError, match=r"encoder\.pt: no weights of an encoder"):
        encode_set(spec, 0, card, tmp_path / "encoder.pt", "test", tmp_path / "set.npz", "cpu")


def test_raw_images_are_scored_once_a_seed_and_leave_no_codes(finished, tmp_path):
    card, _ = finished
    spec = run_spec(model=False, identity_samples=40)
    values = set()
    for seed in (0, 1):
        out = tmp_path / f"seed{seed}/codes.npz"
        score_raw(spec, seed, card, out, "raw", "key")
        sets = read_codes(out)
        assert set(sets) == {"train", "test"}
        for found in sets.values():
            assert found.codes is None
            assert found.known["factors"].shape[1] == 5
            assert list(found.scores) == ["r2(held_out=true)"]
            values |= set(found.scores.values())
        record = Provenance.read(out.with_name("provenance.json"))
        assert (record.run, record.seed, record.outcome, record.data.kind) == ("raw", seed, "finished", "threedident")
    assert len(values) == 4
    assert max(values) < 1
