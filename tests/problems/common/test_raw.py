"""The score of raw images."""

import numpy as np
import pytest
from image_data import made_folder, spec_of

from demix.problems.common.opening import open_problem
from demix.problems.common.raw import SCORE, raw_scores
from demix.scores.common.pixels import held_out_r2
from demix.scores.r2 import linear_r2
from demix.specs.base import parse
from demix.specs.problems.images import ImagesSpec


@pytest.mark.parametrize("features", [7, 300, 5000])
def test_the_score_of_pixels_is_that_of_least_squares_of_minimum_norm(features):
    generator = np.random.default_rng(features)
    latents = generator.uniform(-1, 1, (60, 3)).astype(np.float32)
    pixels = np.tanh(latents @ generator.normal(size=(3, features))) + 0.3 * generator.normal(size=(60, features))
    wanted = linear_r2(latents, pixels, held_out=True)
    assert abs(held_out_r2(pixels.astype(np.float32), latents) - wanted) < 1e-4
    assert wanted != pytest.approx(linear_r2(latents, pixels))


def test_every_set_is_scored_once_however_it_is_encoded(tmp_path):
    spec = spec_of()
    made_folder(tmp_path, spec)
    content = {"data": spec, "pairs": "matched", "identity_samples": 40, "eval_mode": True}
    problem = open_problem(parse(ImagesSpec, content, "problem"), tmp_path / "card.json", 1)
    found = raw_scores(problem)
    assert set(found) == {"train", "test"}
    scores, known = found["train"]
    pixels = problem.flattened("train")
    assert np.array_equal(known["factors"], pixels.known["factors"])
    wanted = linear_r2(pixels.known["factors"], pixels.observations.numpy(), held_out=True)
    assert scores == {SCORE: pytest.approx(wanted, abs=1e-3)}
    assert SCORE == "r2(held_out=true)"
