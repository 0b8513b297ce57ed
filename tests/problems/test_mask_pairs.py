"""Pairs of frames of mask sequences: which pairs there are, how they are drawn, what is scored."""

import numpy as np
import pytest
import torch
from demix.specs.mask_pairs import KittiStandIn, MaskPairs

from demix.datasets.common.mask_folder import write_sequences
from demix.datasets.common.mask_sequences import MaskSequences
from demix.problems.common.opening import open_problem
from demix.problems.mask_pairs import SHOWN_FRAMES, held_out_sequences, shrunk
from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.support.building import build
from demix.support.errors import DataError
from demix.training.trainee import Trainee

LENGTHS = [5, 1, 0, 9, 2]


def numbered(lengths=LENGTHS):
    """Sequences whose frames can be told apart: frame i has the bits of i in its first row."""
    count = sum(lengths)
    frames = np.zeros((count, 64, 64), np.uint8)
    bits = (np.arange(count)[:, None] >> np.arange(16)) & 1
    frames[:, 0, :16] = bits
    factors = np.stack([np.arange(count), -np.arange(count), np.arange(count) ** 2], axis=1).astype(np.float32)
    return MaskSequences(frames, factors, np.array(lengths))


def number(pictures):
    """Which frames pictures of `numbered` are."""
    return (pictures[:, 0, 0, :16].numpy().astype(int) << np.arange(16)).sum(axis=1)


def problem(sequences=None, seed=0, **fields):
    return build(MaskPairs(**{"evaluation_samples": 40, **fields}), seed=seed, sequences=sequences or numbered())


def drawn(made, size, rounds):
    batches = [made.batch(size) for _ in range(rounds)]
    return tuple(np.concatenate([number(getattr(batch, part)) for batch in batches]) for part in ("anchor", "positive"))


SEQUENCE = np.repeat(np.arange(len(LENGTHS)), LENGTHS)
STARTS = [0, 1, 2, 3, *range(6, 14), 15]


def test_a_sequence_of_length_t_has_t_minus_1_start_frames():
    made = problem()
    assert sorted(made.starts.tolist()) == STARTS
    assert len(made.starts) == sum(max(length - 1, 0) for length in LENGTHS)


def test_a_separation_of_1_never_skips_a_frame():
    anchor, positive = drawn(problem(max_separation=1), 13, 20)
    assert (positive == anchor + 1).all()


def test_pairs_stay_in_their_sequence_and_are_clipped_at_its_end():
    anchor, positive = drawn(problem(max_separation=5), 13, 400)
    assert (SEQUENCE[anchor] == SEQUENCE[positive]).all()
    assert (positive > anchor).all()
    step = positive - anchor
    of_first = step[anchor == 6]  # eight more frames follow: nothing is clipped
    assert set(of_first) == {1, 2, 3, 4, 5}
    assert np.allclose(np.bincount(of_first)[1:] / len(of_first), 0.2, atol=0.09)
    near_end = step[anchor == 12]  # two more frames follow: 2 stands for 2 to 5
    assert np.allclose(np.mean(near_end == 2), 0.8, atol=0.09)


def test_every_start_frame_comes_once_in_a_round_and_incomplete_batches_are_dropped():
    anchor, _ = drawn(problem(), 6, 4)
    for one in (anchor[:12], anchor[12:]):
        assert len(set(one)) == 12  # two batches of a round over 13 start frames
        assert set(one) < set(STARTS)
    assert list(anchor[:12]) != list(anchor[12:])
    with pytest.raises(ValueError, match="a batch of 14 pairs is more than the 13 start frames"):
        problem().batch(14)


def test_pairs_depend_on_the_seed_and_go_on_from_a_saved_state(untouched_global_randomness):
    first, other = problem(max_separation=5), problem(max_separation=5, seed=1)
    assert not np.array_equal(drawn(first, 6, 3), drawn(other, 6, 3))
    state = first.state()
    wanted = drawn(first, 6, 5)
    again = problem(max_separation=5)
    again.load_state(state)
    assert np.array_equal(drawn(again, 6, 5), wanted)


def test_evaluation_samples_are_the_same_for_all_seeds_start_frames_in_batches_without_repeats():
    (pictures, factors), (others, _) = (problem(seed=seed).evaluation_sets()["marginal"] for seed in (0, 7))
    assert torch.equal(pictures, others)
    assert list(problem().evaluation_sets()) == ["marginal"]
    frames = number(pictures)
    assert len(frames) == 40
    assert np.array_equal(factors[:, 0].numpy(), frames)
    assert set(frames) <= set(STARTS)
    for batch in (frames[:13], frames[13:26], frames[26:39]):  # 13 start frames are fewer than a batch of 16
        assert len(set(batch)) == 13


def test_held_out_sequences_are_not_trained_on_and_scored_apart():
    lengths = [6] * 20
    made = problem(numbered(lengths), held_out=0.25)
    aside = held_out_sequences(20, 0.25)
    assert aside.sum() == 5
    owner = np.repeat(np.arange(20), lengths)
    sets = made.evaluation_sets()
    assert list(sets) == ["marginal", "held_out"] == list(MaskPairs(held_out=0.25).evaluation_sets)
    anchor, positive = drawn(made, 25, 9)
    for frames in (anchor, positive, number(sets["marginal"][0])):
        assert not aside[owner[frames]].any()
    assert aside[owner[number(sets["held_out"][0])]].all()
    assert aside[owner[number(made.unscored_sets()["sequences"][0])]].all()
    with pytest.raises(ValueError, match="no sequence with two frames is left"):
        problem(numbered([5]), held_out=0.5)


def test_pictures_show_the_longest_sequences_in_order_of_time():
    pictures, known = problem(numbered([5, 1, 70, 9, 2])).unscored_sets()["sequences"]
    assert list(number(pictures)) == known["frame"].tolist()
    assert known["frame"].tolist() == [*range(5), *range(6, 6 + SHOWN_FRAMES), *range(76, 85)]


@pytest.mark.parametrize("factor", [1, 2, 4])
def test_shrunk_pictures_are_block_means_kept_as_bytes(factor):
    frames = np.random.default_rng(0).integers(0, 2, (3, 64, 64), dtype=np.uint8)
    small, scale = shrunk(frames, factor)
    assert small.dtype == torch.uint8
    means = torch.nn.functional.avg_pool2d(torch.from_numpy(frames).float(), factor)
    torch.testing.assert_close(small.float() * scale, means)
    made = problem(MaskSequences(frames, np.zeros((3, 3), np.float32), np.array([3])), shrink=factor)
    assert made.observation_shape == MaskPairs(shrink=factor).observation_shape == (1, 64 // factor, 64 // factor)
    torch.testing.assert_close(made.pictures(torch.tensor([2])), means[2:, None])


SPEC = KittiStandIn(sequences=4, frames=10)


def test_a_folder_of_masks_is_opened_by_its_card(tmp_path):
    write_sequences(build(SPEC).sequences(), tmp_path, SPEC, "key")
    opened = open_problem(MaskPairs(data=SPEC), tmp_path / "card.json", seed=3)
    assert torch.equal(opened.batch(4).anchor, problem(build(SPEC).sequences(), seed=3).batch(4).anchor)
    with pytest.raises(DataError, match="made for another problem"):
        open_problem(MaskPairs(data=KittiStandIn(sequences=5)), tmp_path / "card.json", seed=0)
    (tmp_path / "lengths.npy").write_bytes((tmp_path / "lengths.npy").read_bytes()[:-8])
    with pytest.raises(DataError, match=r"lengths\.npy: not readable"):
        open_problem(MaskPairs(data=SPEC), tmp_path / "card.json", seed=0)


MODELS = {
    "contrastive": {"output": "box", "objective": {"kind": "lp_infonce", "exponent": 1}},
    "align_uniform": {"output": "unbounded", "objective": {"kind": "align_uniform", "alpha": 0.5, "exponent": 2}},
    "slow_vae": {"output": "gaussian", "objective": "slow_vae", "decoder": {"features": 8, "channels": [4, 4]}},
}


def trainee(name, seed=0):
    data = {
        "problem": {"kind": "mask_pairs", "data": SPEC.model_dump(), "shrink": 4, "evaluation_samples": 20},
        "model": MODELS[name] | {"codes": 5, "encoder": {"kind": "conv", "channels": [4, 4], "features": 8}},
        "training": {"steps": 20, "batch_size": 6, "learning_rate": 0.001},
    }
    spec = parse(RunSpec, data, name)
    return Trainee(spec, seed, build(spec.problem, seed=seed, sequences=build(SPEC).sequences()))


@pytest.mark.parametrize("name", MODELS)
def test_a_run_goes_on_from_a_saved_state_to_the_same_bits(name, untouched_global_randomness):
    whole = trainee(name)
    losses = [float(whole.step(step).total.detach()) for step in range(20)]
    half = trainee(name)
    for step in range(10):
        half.step(step)
    again = trainee(name)
    again.load_state(half.state())
    assert [float(again.step(step).total.detach()) for step in range(10, 20)] == losses[10:]
    pictures, _ = whole.problem.evaluation_sets()["marginal"]
    assert whole.codes(pictures).shape == (20, 5)
    assert torch.equal(whole.codes(pictures), again.codes(pictures))
    assert losses[-1] < losses[0]
    assert float(trainee(name, seed=1).step(0).total.detach()) != losses[0]


def test_the_codes_of_a_vae_are_the_means_of_its_posterior():
    made = trainee("slow_vae")
    pictures, _ = made.problem.evaluation_sets()["marginal"]
    means, log_variances = made.encoder(pictures).chunk(2, dim=1)
    assert torch.equal(made.codes(pictures), means.detach())
    assert means.shape == log_variances.shape == (20, 5)
