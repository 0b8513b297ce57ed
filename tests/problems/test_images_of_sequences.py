"""Frames of sequences of masks: which pairs there are, how they are drawn, what is scored."""

import numpy as np
import pytest
import torch
from image_data import MASKS, masks_folder, numbered_folder, stand_in_folder

from demix.problems.common.opening import open_problem
from demix.problems.images import SHOWN_FRAMES, held_out_sequences
from demix.specs.base import parse
from demix.specs.datasets.kitti_stand_in import KittiStandInSpec
from demix.specs.problems.images import ImagesSpec
from demix.specs.run import RunSpec
from demix.support.errors import ConfigError, DataError
from demix.training.trainee import Trainee

LENGTHS = [5, 1, 0, 9, 2]
SEQUENCE = np.repeat(np.arange(len(LENGTHS)), LENGTHS)
STARTS = [0, 1, 2, 3, *range(6, 14), 15]


def spec_of(max_separation=1, **fields):
    pairs = {"kind": "frames_of_a_sequence", "max_separation": max_separation}
    return parse(ImagesSpec, {"data": MASKS, "pairs": pairs, "evaluation_samples": 40, **fields}, "problem")


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Opens the problem of sequences of numbered frames, whose folders are written once."""
    folders = {}

    def open_numbered(lengths=LENGTHS, seed=0, **fields):
        name = tuple(lengths)
        if name not in folders:
            folders[name] = numbered_folder(tmp_path_factory.mktemp("masks"), lengths)
        return open_problem(spec_of(**fields), folders[name] / "card.json", seed)

    return open_numbered


def number(images):
    """Which frames images of numbered sequences are."""
    if not isinstance(images, torch.Tensor):
        images = torch.cat(list(images.batches()))
    return (images[:, 0, 0, :16].numpy().astype(int) << np.arange(16)).sum(axis=1)


def drawn(made, size, rounds):
    batches = [made.batch(size) for _ in range(rounds)]
    return tuple(np.concatenate([number(getattr(batch, part)) for batch in batches]) for part in ("anchor", "positive"))


def test_a_sequence_of_length_t_has_t_minus_1_start_frames(opened):
    made = opened()
    assert sorted(made.law.starts.tolist()) == STARTS
    assert len(made.law.starts) == sum(max(length - 1, 0) for length in LENGTHS)


def test_a_separation_of_1_never_skips_a_frame(opened):
    anchor, positive = drawn(opened(), 13, 20)
    assert (positive == anchor + 1).all()


def test_pairs_stay_in_their_sequence_and_are_clipped_at_its_end(opened):
    anchor, positive = drawn(opened(max_separation=5), 13, 400)
    assert (SEQUENCE[anchor] == SEQUENCE[positive]).all()
    assert (positive > anchor).all()
    step = positive - anchor
    of_first = step[anchor == 6]  # eight more frames follow: nothing is clipped
    assert set(of_first) == {1, 2, 3, 4, 5}
    assert np.allclose(np.bincount(of_first)[1:] / len(of_first), 0.2, atol=0.09)
    near_end = step[anchor == 12]  # two more frames follow: 2 stands for 2 to 5
    assert np.allclose(np.mean(near_end == 2), 0.8, atol=0.09)


def test_every_start_frame_comes_once_in_a_round_and_incomplete_batches_are_dropped(opened):
    anchor, _ = drawn(opened(), 6, 4)
    for one in (anchor[:12], anchor[12:]):
        assert len(set(one)) == 12  # two batches of a round over 13 start frames
        assert set(one) < set(STARTS)
    assert list(anchor[:12]) != list(anchor[12:])
    with pytest.raises(ValueError, match="a batch of 14 pairs is more than the 13 start frames"):
        opened().batch(14)


def test_pairs_depend_on_the_seed_and_go_on_from_a_saved_state(opened, untouched_global_randomness):
    first, other = opened(max_separation=5), opened(max_separation=5, seed=1)
    assert not np.array_equal(drawn(first, 6, 3), drawn(other, 6, 3))
    state = first.state()
    wanted = drawn(first, 6, 5)
    again = opened(max_separation=5)
    again.load_state(state)
    assert np.array_equal(drawn(again, 6, 5), wanted)
    first.load_state(state)  # one that is further on goes back
    assert np.array_equal(drawn(first, 6, 5), wanted)


def test_batches_have_the_factors_of_their_anchors(opened):
    batch = opened().batch(6)
    assert np.array_equal(batch.factors[:, 0].numpy(), number(batch.anchor))


def test_evaluation_samples_are_the_same_for_all_seeds_start_frames_in_batches_without_repeats(opened):
    found, other = (opened(seed=seed).evaluation_sets(["marginal"])["marginal"] for seed in (0, 7))
    frames = number(found.observations)
    assert np.array_equal(frames, number(other.observations))
    assert list(opened().evaluation_sets()) == ["marginal", "sequences"]
    assert len(frames) == 40
    assert np.array_equal(found.known["factors"][:, 0], frames)
    assert set(frames) <= set(STARTS)
    for batch in (frames[:13], frames[13:26], frames[26:39]):  # 13 start frames are fewer than a batch of 16
        assert len(set(batch)) == 13
    with pytest.raises(ValueError, match=r"unknown evaluation set 'margnal' \(did you mean 'marginal'\?\)"):
        opened().evaluation_sets(["margnal"])


def test_held_out_sequences_are_not_trained_on_and_scored_apart(opened):
    lengths = [6] * 20
    made = opened(lengths, held_out=0.25)
    aside = held_out_sequences(20, 0.25)
    assert aside.sum() == 5
    owner = np.repeat(np.arange(20), lengths)
    sets = made.evaluation_sets()
    assert list(sets) == ["marginal", "held_out", "sequences"]
    assert spec_of(held_out=0.25).evaluation_sets == ("marginal", "held_out")
    anchor, positive = drawn(made, 25, 9)
    for frames in (anchor, positive, number(sets["marginal"].observations)):
        assert not aside[owner[frames]].any()
    assert aside[owner[number(sets["held_out"].observations)]].all()
    assert aside[owner[sets["sequences"].known["frames"]]].all()
    with pytest.raises(ValueError, match="no sequence with two frames is left"):
        opened([5], held_out=0.5)


def test_whole_sequences_are_the_longest_in_order_of_time_and_not_scored(opened):
    found = opened([5, 1, 70, 9, 2]).evaluation_sets(["sequences"])["sequences"]
    assert number(found.observations).tolist() == found.known["frames"].tolist()
    assert found.known["frames"].tolist() == [*range(5), *range(6, 6 + SHOWN_FRAMES), *range(76, 85)]
    assert set(found.known) == {"frames"}


@pytest.mark.parametrize("factor", [1, 2, 4])
def test_shrunk_images_are_means_over_blocks(tmp_path, factor):
    frames = np.random.default_rng(0).integers(0, 2, (3, 64, 64, 1), dtype=np.uint8)
    spec = spec_of(shrink=factor)
    made = open_problem(spec, masks_folder(tmp_path, frames, [3]) / "card.json", 0)
    assert made.observation_shape == spec.observation_shape == (1, 64 // factor, 64 // factor)
    (shown,) = made.evaluation_sets(["sequences"])["sequences"].observations.batches()
    means = torch.nn.functional.avg_pool2d(torch.from_numpy(frames[..., 0]).float(), factor)
    torch.testing.assert_close(shown, means[:, None])


SPEC = KittiStandInSpec(sequences=4, frames=10)


def test_a_folder_of_masks_is_opened_by_its_card(tmp_path):
    stand_in_folder(tmp_path, SPEC)
    spec = spec_of(data=SPEC)
    assert open_problem(spec, tmp_path / "card.json", seed=3).batch(4).anchor.shape == (4, 1, 64, 64)
    with pytest.raises(DataError, match="made for another problem"):
        open_problem(spec_of(data=KittiStandInSpec(sequences=5)), tmp_path / "card.json", seed=0)
    (tmp_path / "train_lengths.npy").write_bytes((tmp_path / "train_lengths.npy").read_bytes()[:-8])
    with pytest.raises(DataError, match=r"train_lengths\.npy: not readable"):
        open_problem(spec, tmp_path / "card.json", seed=0)


def test_only_sequences_can_be_held_out():
    data = {"kind": "threedident", "preset": "smoke"}
    with pytest.raises(ConfigError, match="held_out: data set threedident has no sequences to hold out"):
        parse(ImagesSpec, {"data": data, "pairs": "matched", "held_out": 0.1}, "problem")
    with pytest.raises(
        ConfigError, match="pairs frames_of_a_sequence need sequences, and data set threedident has none"
    ):
        parse(ImagesSpec, {"data": data, "pairs": "frames_of_a_sequence"}, "problem")


MODELS = {
    "contrastive": {"output": "box", "objective": {"kind": "lp_infonce", "exponent": 1}},
    "align_uniform": {"output": "unbounded", "objective": {"kind": "align_uniform", "alpha": 0.5, "exponent": 2}},
    "slow_vae": {
        "output": "gaussian",
        "objective": {"kind": "slow_vae", "decoder": {"kind": "conv", "features": 8, "channels": [4, 4]}},
    },
}


@pytest.fixture(scope="module")
def trainee(tmp_path_factory):
    """Puts a run on the stand-in together."""
    card = stand_in_folder(tmp_path_factory.mktemp("stand_in"), SPEC) / "card.json"

    def of(name, seed=0):
        data = {
            "problem": {
                "kind": "images",
                "data": SPEC,
                "pairs": "frames_of_a_sequence",
                "shrink": 4,
                "evaluation_samples": 20,
            },
            "model": MODELS[name] | {"codes": 5, "encoder": {"kind": "conv", "channels": [4, 4], "features": 8}},
            "training": {"steps": 20, "batch_size": 6, "learning_rate": 0.001},
        }
        spec = parse(RunSpec, data, name)
        return Trainee(spec, seed, open_problem(spec.problem, card, seed))

    return of


def scored(made):
    return made.problem.evaluation_sets(["marginal"])["marginal"].observations


@pytest.mark.parametrize("name", MODELS)
def test_a_run_goes_on_from_a_saved_state_to_the_same_bits(trainee, name, untouched_global_randomness):
    whole = trainee(name)
    losses = [float(whole.step(step).total.detach()) for step in range(20)]
    half = trainee(name)
    for step in range(10):
        half.step(step)
    again = trainee(name)
    again.load_state(half.state())
    assert [float(again.step(step).total.detach()) for step in range(10, 20)] == losses[10:]
    assert whole.codes(scored(whole)).shape == (20, 5)
    assert torch.equal(whole.codes(scored(whole)), again.codes(scored(again)))
    assert losses[-1] < losses[0]
    assert float(trainee(name, seed=1).step(0).total.detach()) != losses[0]


def test_the_codes_of_a_vae_are_the_means_of_its_posterior(trainee):
    made = trainee("slow_vae")
    (images,) = scored(made).batches()
    means, log_variances = made.encoder(images).chunk(2, dim=1)
    assert torch.equal(made.codes(scored(made)), means.detach())
    assert means.shape == log_variances.shape == (20, 5)
