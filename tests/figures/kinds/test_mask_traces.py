"""Mask sequences over time: codes matched to factors, drawing and caption."""

import numpy as np
import pytest
from figures_config import coded, fake_result, small_experiment
from figures_drawn import caption, drawn

from demix.collecting.command import Results
from demix.datasets.common.conversion import Conversion, whole
from demix.datasets.common.folder import write_data
from demix.figures.kinds.mask_traces import matches
from demix.figures.plan import figure_plan
from demix.support.building import build

LENGTHS = np.array([3, 12, 5, 0, 20])
FRAMES = np.concatenate([np.arange(3, 15), np.arange(20, 40)])
"""Those of the second and of the last sequence."""


@pytest.fixture(scope="module")
def plan():
    return figure_plan(small_experiment(), "traces")


@pytest.fixture(scope="module")
def factors():
    return np.random.default_rng(0).normal(20, 5, (int(LENGTHS.sum()), 3)).astype(np.float32)


@pytest.fixture(scope="module")
def results(factors, tmp_path_factory):
    """Mask sequences, and a run whose codes are the factors in another order, scaled and shifted, beside noise."""
    folder, run = tmp_path_factory.mktemp("traces"), small_experiment().runs["masks"]
    masks = np.zeros((len(factors), 64, 64, 1), np.uint8)
    masks[:, 8:16] = 1
    data = Conversion({"train": whole(masks, lengths=LENGTHS, factors=factors)}, white=1, counts={}, facts={})
    write_data(folder / "data", run.spec.problem.dataset, "key", data)
    noise = np.random.default_rng(1).normal(size=(len(factors), 1))
    codes = np.hstack([noise, -2 * factors[:, [2]] + 1, factors[:, [0]], factors[:, [1]] / 3])
    sets = {"marginal": coded(codes, factors=factors), "sequences": coded(codes[FRAMES], frames=FRAMES)}
    about = {"kind": "kitti_stand_in", "hash": "0123456789abcdef"}
    seeds = [fake_result(folder / f"seed{seed}", run, seed, sets if not seed else {}, data=about) for seed in (0, 1)]
    return Results(codes=tuple(seeds), data=(folder / "data" / "card.json",))


@pytest.fixture(scope="module")
def table(plan, results):
    return build(plan.spec).collect(plan, results)


def test_codes_are_matched_scaled_and_shifted_to_their_factors(table, factors):
    found = table.drop_duplicates("factor").set_index("factor")["code"].to_dict()
    assert found == {"vertical": 2, "horizontal": 3, "area": 1}
    assert np.allclose(table["recovered"], table["value"], atol=1e-3)
    assert np.allclose(table["correlation"].abs(), 1)
    assert np.array_equal(table[table["factor"] == "area"]["value"], factors[FRAMES, 2])


def test_frames_are_counted_in_their_sequence(table):
    of_factor = table[table["factor"] == "area"]
    assert list(of_factor["sequence"]) == [1] * 12 + [4] * 20
    assert list(of_factor["time"]) == [*range(12), *range(20)]
    mask = np.unpackbits(np.frombuffer(table["mask"].iloc[0], np.uint8)).reshape(64, 64)
    assert mask.sum() == 8 * 64


def test_a_sequence_has_its_masks_and_a_panel_for_each_factor(plan, table):
    axes = drawn(plan, table).axes
    titles = [ax.get_title(loc="left") for ax in axes]
    assert titles.count("area [px]") == 2
    assert [title for title in titles if title.startswith("sequence")] == ["sequence 1, frame", "sequence 4, frame"]


def test_the_caption_names_run_data_and_stand_in(plan, table):
    text = caption(plan, table)
    assert "run masks, seed 0 (blue)" in text
    assert "area: code 1, |ρ| = 1.00" in text
    assert "Made with data kitti_stand_in 0123456789ab." in text
    assert "Stand-in" in text


def test_a_constant_code_has_no_correlation():
    factors = np.random.default_rng(0).normal(size=(50, 2))
    codes = np.column_stack([np.ones(50), factors[:, 1]])
    assert matches(factors, codes) == [(0, 0.0), (1, pytest.approx(1))]
