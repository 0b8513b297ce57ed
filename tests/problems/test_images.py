"""Images of a data set: batches, held latents, resuming, what is scored and how."""

import numpy as np
import pytest
import torch
from image_data import drawn, made_folder, spec_of

from demix.datasets.common.threedident import AUTHORS
from demix.pairs.common import blocks
from demix.problems.common import pixels
from demix.problems.common.opening import data_origin, open_problem
from demix.problems.images import normalization_of
from demix.specs.base import parse
from demix.specs.datasets.common.threedident import LATENTS
from demix.specs.datasets.threedident_archives import ThreeDIdentArchivesSpec
from demix.specs.problems.images import ImagesSpec
from demix.support.building import build
from demix.support.errors import ConfigError, DataError

HELD = {"x": 0.5, "hue_spot": -0.25}
PUBLISHED = {"evaluation_samples": 25_000, "evaluation_batch": 512, "whole_batches": True, "eval_mode": True}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Folders of 60 + 24 images, with all latents free and with two of them held."""
    root = tmp_path_factory.mktemp("images")
    specs = {"free": spec_of(), "held": spec_of(held=HELD)}
    return {name: (made_folder(root / name, spec), spec) for name, spec in specs.items()}


@pytest.fixture(params=["on the device", "on disk"])
def place(request, monkeypatch):
    """Images lie on the device or are read from disk: it makes no difference."""
    monkeypatch.setattr(pixels, "LARGE", 0 if request.param == "on disk" else 1 << 30)


def problem_spec(data, pairs="matched", **fields):
    return parse(ImagesSpec, {"data": data, "pairs": pairs, **PUBLISHED, **fields}, "problem")


def problem(folders, name="free", seed=0, **fields):
    folder, spec = folders[name]
    return open_problem(problem_spec(spec, **fields), folder / "card.json", seed)


def raw_latents(folders, name, numbers):
    return build(folders[name][1]).latents("train")[numbers]


# ----------------------------------------------------------------------------------------------------------- batches


def test_batches_are_the_images_of_the_pairs_normalised(folders, place):
    made = problem(folders)
    assert made.observation_shape == problem_spec(spec_of()).observation_shape == (3, 16, 16)
    pairs = made.law.pairs(0, 8)
    batch = made.batch(8)
    mean, std = (np.array(part) for part in (made.data.mean, made.data.std))
    for images, numbers in ((batch.anchor, pairs.anchor), (batch.positive, pairs.positive)):
        wanted = drawn(raw_latents(folders, "free", numbers.numpy()), 16) / 255
        np.testing.assert_allclose(images.permute(0, 2, 3, 1).numpy(), (wanted - mean) / std, rtol=0, atol=2e-4)
    assert np.array_equal(batch.factors, raw_latents(folders, "free", pairs.anchor.numpy()))
    assert batch.anchor.is_contiguous()
    assert batch.negatives is batch.source is None


def test_images_are_normalised_with_their_own_constants_or_those_that_are_named(folders):
    own, theirs, none = (problem(folders, normalization=name) for name in ("default", "authors", "none"))
    unit = none.batch(4).anchor
    assert 0 <= unit.min() < unit.max() <= 1
    for made, constants in ((own, (own.data.mean, own.data.std)), (theirs, AUTHORS)):
        mean, std = (torch.tensor(part)[:, None, None] for part in constants)
        assert torch.equal(made.batch(4).anchor, (unit - mean) / std)
    published = build(ThreeDIdentArchivesSpec())
    assert normalization_of(published, own.data, "default") == AUTHORS
    assert normalization_of(published, own.data, "own") == (own.data.mean, own.data.std)


def test_held_latents_do_not_vary_and_are_not_scored(folders):
    made = problem(folders, "held")
    spec = problem_spec(spec_of(held=HELD))
    assert spec.latent_count == 8
    batch = made.batch(8)
    assert batch.factors.shape == (8, 8)
    free = [LATENTS.index(name) for name in spec.data.factors]
    anchor = made.law.pairs(0, 8).anchor.numpy()
    assert np.array_equal(batch.factors, raw_latents(folders, "held", anchor)[:, free])
    for found in made.evaluation_sets().values():
        assert found.known["factors"].shape[1] == 8
        assert (found.known["factors"].std(axis=0) > 0.3).all()


@pytest.mark.parametrize("pairs", ["matched", "augmented"])
def test_batches_come_from_one_stream_and_go_on_from_a_saved_state(folders, place, pairs, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 10)
    whole, parts = (problem(folders, pairs=pairs) for _ in range(2))
    batches = [whole.batch(12) for _ in range(3)]
    parts.batch(12)
    again = problem(folders, pairs=pairs)
    again.load_state(parts.state())
    for wanted in batches[1:]:
        got = again.batch(12)
        assert torch.equal(got.anchor, wanted.anchor)
        assert torch.equal(got.positive, wanted.positive)
    assert not torch.equal(problem(folders, pairs=pairs, seed=1).batch(12).anchor, batches[0].anchor)


def test_both_views_of_an_image_differ_and_share_its_factors(folders):
    made = problem(folders, pairs="augmented")
    batch = made.batch(16)
    assert not torch.equal(batch.anchor, batch.positive)
    assert np.array_equal(batch.factors, raw_latents(folders, "free", made.law.pairs(0, 16).anchor.numpy()))
    assert made.facts() == {}


def test_images_that_are_shrunk_are_means_over_blocks(folders, place):
    whole, small = (problem(folders, shrink=shrink, normalization="none") for shrink in (1, 2))
    assert small.observation_shape == (3, 8, 8)
    wanted = torch.nn.functional.avg_pool2d(whole.batch(8).anchor, 2)
    torch.testing.assert_close(small.batch(8).anchor, wanted)


# -------------------------------------------------------------------------------------------------------- evaluation


def test_evaluation_sets_are_whole_batches_of_shuffled_images_the_same_for_all_seeds(folders):
    made, other = problem(folders, evaluation_batch=10), problem(folders, evaluation_batch=10, seed=3)
    sets = made.evaluation_sets()
    spec = problem_spec(spec_of(), evaluation_batch=10)
    assert tuple(sets) == spec.evaluation_sets == ("test", "train", "test_eval_mode", "train_eval_mode")
    for name, found in sets.items():
        split, stored = name.removesuffix("_eval_mode"), found.observations
        assert len(stored) == len(found.known["factors"]) == {"test": 20, "train": 60}[split]
        assert stored.running_averages is name.endswith("_eval_mode")
        assert [len(batch) for batch in stored.batches()] == [10] * (len(stored) // 10)
        assert np.array_equal(found.known["factors"], made.data.known[split]["factors"][stored.numbers])
        assert not np.array_equal(stored.numbers, np.sort(stored.numbers))
        assert np.array_equal(stored.numbers, other.evaluation_sets([name])[name].observations.numbers)
    rest = problem(folders, evaluation_batch=10, whole_batches=False, eval_mode=False).evaluation_sets()
    assert list(rest) == ["test", "train"]
    assert [len(batch) for batch in rest["test"].observations.batches()] == [10, 10, 4]
    few = problem(folders, evaluation_samples=15).evaluation_sets()  # fewer than a batch of 512: one batch
    assert [len(batch) for batch in few["train"].observations.batches()] == [15]


def test_raw_images_are_another_draw_for_every_seed(folders):
    found = problem(folders, identity_samples=20).flattened("train")
    assert found.observations.shape == (20, 3 * 16 * 16)
    assert found.known["factors"].shape == (20, 10)
    other = problem(folders, identity_samples=20, seed=1).flattened("train")
    assert not np.array_equal(found.known["factors"], other.known["factors"])
    assert len(problem(folders).flattened("test").observations) == 24


def test_a_folder_is_opened_by_its_card(folders):
    folder, spec = folders["free"]
    assert data_origin(problem_spec(spec), folder / "card.json")["kind"] == "threedident"
    with pytest.raises(DataError, match="made for another problem"):
        open_problem(problem_spec(spec_of(train=61)), folder / "card.json", 0)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"pairs": "crops"}, "allowed: augmented, frames_of_a_sequence, matched"),
        (
            {"pairs": {"kind": "matched", "conditional": {"kind": "vmf", "concentration": 1}}},
            "vmf does not live in a box",
        ),
        ({"data": {"kind": "threedident", "test": 3}}, "greater than or equal to 4"),
        (
            {"data": "kitti_stand_in", "pairs": "augmented"},
            "need images of 3 channels, and data set kitti_stand_in has 1",
        ),
        ({"normalization": "mine"}, "allowed: authors, default, none, own"),
        ({"evaluation_sample": 3}, "did you mean 'evaluation_samples'"),
    ],
)
def test_a_wrong_field_is_named(fields, complaint):
    with pytest.raises(ConfigError) as error:
        parse(ImagesSpec, {"data": "threedident", "pairs": "matched"} | fields, "problems.mine")
    assert complaint in str(error.value)
