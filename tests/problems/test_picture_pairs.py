"""Pairs of pictures: matching, held latents, resuming, what is scored and how."""

import builtins

import numpy as np
import pytest
import torch
from demix.specs.picture_pairs import MatchedPairs, PicturePairs
from demix.specs.pictures import LATENTS, DownloadedPictures
from picture_data import drawn, fake_folder, spec_of

from demix.datasets.common.picture_folder import open_pictures
from demix.pairs.matched import InvertedFile, KDTree
from demix.problems import picture_pairs
from demix.problems.common.opening import data_origin, open_problem
from demix.problems.picture_pairs import AUTHORS, Ahead
from demix.specs.base import parse
from demix.support.building import build
from demix.support.errors import ConfigError, DataError

HELD = {"x": 0.5, "hue_spot": -0.25}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Folders of 60 + 24 pictures, with all latents free and with two of them held."""
    root = tmp_path_factory.mktemp("pictures")
    specs = {"free": spec_of(), "held": spec_of(held=HELD)}
    return {name: (fake_folder(root / name, spec), spec) for name, spec in specs.items()}


def problem(folders, name="free", seed=0, **fields):
    folder, spec = folders[name]
    return open_problem(PicturePairs(data=spec, **fields), folder / "card.json", seed)


def uniform(count, dim=10, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, (count, dim)).astype(np.float32)


def matched(latents, seed=0, **fields):
    return build(MatchedPairs(**fields), latents=latents, seed=seed)


# ------------------------------------------------------------------------------------------------------------- pairs


def test_a_k_d_tree_finds_what_a_search_of_everything_finds():
    points, queries = uniform(500), uniform(40, seed=1)
    distance = ((queries[:, None] - points) ** 2).sum(-1)
    assert np.array_equal(KDTree(points).nearest(queries, 3), distance.argsort(axis=1)[:, :3])
    assert KDTree(points).nearest(queries, 1).shape == (40, 1)


@pytest.mark.parametrize("anchors", ["matched", "data"])
def test_a_pair_is_never_one_picture_twice_and_depends_on_seed_and_block(anchors, untouched_global_randomness):
    latents = uniform(300)
    first, other = matched(latents, anchors=anchors).pairs(0, 2000)
    assert (first != other).all()
    assert min(first.min(), other.min()) >= 0
    assert max(first.max(), other.max()) < 300
    again = matched(latents, anchors=anchors)
    again.pairs(5, 10)
    assert np.array_equal(again.pairs(0, 2000), [first, other])
    assert not np.array_equal(again.pairs(1, 2000)[0], first)
    assert not np.array_equal(matched(latents, anchors=anchors, seed=1).pairs(0, 2000)[0], first)


def test_both_are_matched_and_the_second_is_drawn_around_the_draw():
    """With a wide box and few pictures, the nearest picture of a draw is not where the draw was."""
    grid = np.stack(np.meshgrid(*2 * [np.linspace(-0.8, 0.8, 5)]), axis=-1).reshape(-1, 2)
    first, other = matched(grid, conditional={"kind": "normal", "std": 0.001}).pairs(0, 4000)
    difference = np.abs(grid[first] - grid[other])
    # nearly always z~' falls on z itself, so that the second neighbour is a neighbour on the grid
    assert np.allclose(difference.sum(axis=1), 0.4)
    assert np.allclose(np.bincount(first, minlength=25) / 4000, 1 / 25, atol=0.012)  # cells have equal areas


def test_the_width_of_pairs_as_drawn_and_after_matching():
    latents = uniform(20_000)
    facts = matched(latents).facts()
    assert abs(facts["pair_width_drawn"] - 0.098) < 0.001  # 0.1, cut at the box
    assert facts["pair_width"] > 0.28  # the nearest of 20,000 pictures is further away than that
    assert facts == matched(latents, seed=5).facts()
    assert matched(latents, conditional={"kind": "laplace", "scale": 0.1}).facts()["pair_width_drawn"] > 0.13


def test_the_approximate_index_agrees_nearly():
    pytest.importorskip("faiss")
    points, queries = uniform(20_000), uniform(200, seed=1)
    found = InvertedFile(points).nearest(queries, 2)
    assert found.shape == (200, 2)
    assert (found[:, 0] == KDTree(points).nearest(queries, 1)[:, 0]).mean() > 0.5


def test_the_approximate_index_says_what_it_needs(monkeypatch):
    real = builtins.__import__

    def without_faiss(name, *rest):
        if name == "faiss":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_faiss)
    with pytest.raises(ValueError, match="neighbours ivf_hnsw needs the package faiss-cpu"):
        InvertedFile(uniform(50))


# ----------------------------------------------------------------------------------------------------------- batches


def test_batches_are_the_pictures_of_the_pairs_normalised(folders):
    made = problem(folders)
    assert made.observation_shape == PicturePairs(data=spec_of()).observation_shape == (3, 16, 16)
    first, other = made.numbers(0, 8)
    batch = made.batch(8)
    mean, std = (np.array(part) for part in (made.pictures.mean, made.pictures.std))
    for pictures, numbers in ((batch.anchor, first), (batch.positive, other)):
        wanted = drawn(made.pictures.latents["train"][numbers], 16) / 255
        np.testing.assert_allclose(pictures.permute(0, 2, 3, 1).numpy(), (wanted - mean) / std, rtol=0, atol=2e-4)
    assert np.array_equal(batch.factors, made.latents["train"][first])
    assert batch.anchor.is_contiguous()


def test_constants_of_the_authors_for_published_pictures_and_by_request(folders):
    made, theirs = problem(folders), problem(folders, normalization="authors")
    mean, std = (torch.tensor(part)[:, None, None] for part in AUTHORS)
    own_mean, own_std = (torch.tensor(part)[:, None, None] for part in (made.pictures.mean, made.pictures.std))
    unit = made.batch(4).anchor * own_std + own_mean
    torch.testing.assert_close(theirs.batch(4).anchor, (unit - mean) / std)
    fields = PicturePairs(data=DownloadedPictures())
    context = {"seed": 0, "pictures": open_pictures(folders["free"][0])}
    assert torch.equal(build(fields, **context).mean, mean)
    own = build(fields.model_copy(update={"normalization": "own"}), **context)
    assert torch.equal(own.mean, own_mean)


def test_held_latents_do_not_vary_and_are_not_scored(folders):
    made = problem(folders, "held")
    spec = PicturePairs(data=spec_of(held=HELD))
    assert spec.dim == 8
    assert made.batch(8).factors.shape == (8, 8)
    free = [LATENTS.index(name) for name in spec.data.free]
    first, _ = made.numbers(0, 8)
    assert np.array_equal(made.latents["train"][first], made.pictures.latents["train"][first][:, free])
    for _, factors in made.evaluation_sets().values():
        assert factors.shape[1] == 8
        assert (factors.std(dim=0) > 0.3).all()


@pytest.mark.parametrize("views", ["matched_pairs", "augmentations"])
def test_batches_of_any_size_come_from_one_stream_and_go_on_from_a_saved_state(folders, views, monkeypatch):
    monkeypatch.setattr(picture_pairs, "BLOCK", 10)
    whole, parts = (problem(folders, views=views) for _ in range(2))
    numbers = whole.numbers(0, 36)
    assert np.array_equal(np.concatenate([parts.numbers(at, 12) for at in (0, 12, 24)], axis=1), numbers)
    batches = [whole.batch(12) for _ in range(3)]
    parts.batch(12)
    again = problem(folders, views=views)
    again.load_state(parts.state())
    for wanted in batches[1:]:
        got = again.batch(12)
        assert torch.equal(got.anchor, wanted.anchor)
        assert torch.equal(got.positive, wanted.positive)
    assert not torch.equal(problem(folders, views=views, seed=1).batch(12).anchor, batches[0].anchor)


def test_both_views_of_a_picture_differ_and_share_its_factors(folders):
    made = problem(folders, views="augmentations")
    batch = made.batch(16)
    assert not torch.equal(batch.anchor, batch.positive)
    first, _ = made.numbers(0, 16)
    assert np.array_equal(batch.factors, made.latents["train"][first])
    assert made.facts() == {}


def test_work_ahead_gives_the_same_results():
    from concurrent.futures import ThreadPoolExecutor

    called = []

    def square(number):
        called.append(number)
        return number**2

    with ThreadPoolExecutor(1) as background:
        ahead = Ahead(square, background)
        assert [ahead.get(number, then=number + 1) for number in (3, 4, 5)] == [9, 16, 25]
        assert ahead.get(9, then=10) == 81  # another place, as after a resume
    assert called == [3, 4, 5, 6, 9, 10]
    assert Ahead(square, None).get(2, then=3) == 4
    assert called[-1] == 2


# -------------------------------------------------------------------------------------------------------- evaluation


def test_evaluation_sets_are_whole_batches_of_shuffled_pictures_the_same_for_all_seeds(folders):
    made, other = problem(folders, evaluation_batch=10), problem(folders, evaluation_batch=10, seed=3)
    sets = made.evaluation_sets()
    spec = PicturePairs(data=spec_of(), evaluation_batch=10)
    assert tuple(sets) == spec.evaluation_sets == ("test", "train", "test_eval_mode", "train_eval_mode")
    for name, (stored, factors) in sets.items():
        split = name.removesuffix("_eval_mode")
        assert len(stored) == len(factors) == {"test": 20, "train": 60}[split]
        assert stored.running_averages is name.endswith("_eval_mode")
        assert [len(batch) for batch in stored.batches()] == [10] * (len(stored) // 10)
        assert np.array_equal(factors, made.latents[split][stored.numbers])
        assert not np.array_equal(stored.numbers, np.sort(stored.numbers))
        assert np.array_equal(stored.numbers, other.evaluation_sets()[name][0].numbers)
    rest = problem(folders, evaluation_batch=10, whole_batches=False, eval_mode=False).evaluation_sets()
    assert list(rest) == ["test", "train"]
    assert [len(batch) for batch in rest["test"][0].batches()] == [10, 10, 4]
    few = problem(folders, evaluation_samples=15).evaluation_sets()  # fewer than a batch of 512: one batch
    assert [len(batch) for batch in few["train"][0].batches()] == [15]


def test_raw_pixels_are_another_draw_for_every_seed(folders):
    pixels, latents = problem(folders, identity_samples=20).flattened("train")
    assert pixels.shape == (20, 3 * 16 * 16)
    assert latents.shape == (20, 10)
    assert not np.array_equal(latents, problem(folders, identity_samples=20, seed=1).flattened("train")[1])
    assert len(problem(folders).flattened("test")[0]) == 24


def test_a_folder_is_opened_by_its_card(folders, tmp_path):
    folder, spec = folders["free"]
    assert data_origin(PicturePairs(data=spec), folder / "card.json")["kind"] == "rendered_pictures"
    with pytest.raises(DataError, match="made for another problem"):
        open_problem(PicturePairs(data=spec_of(train=61)), folder / "card.json", 0)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"views": "crops"}, "allowed: augmentations, matched_pairs"),
        (
            {"views": {"kind": "matched_pairs", "conditional": "uniform"}},
            "allowed: generalized_normal, laplace, normal",
        ),
        ({"data": {"kind": "rendered_pictures", "test": 3}}, "at least 4 pictures to train and 4 to score on"),
        ({"evaluation_sample": 3}, "did you mean 'evaluation_samples'"),
    ],
)
def test_a_wrong_field_is_named(fields, complaint):
    with pytest.raises(ConfigError) as error:
        parse(PicturePairs, fields, "problems.mine")
    assert complaint in str(error.value)
