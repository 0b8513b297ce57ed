"""The score of raw images: how much of the factors a linear map reads off the pixels (ICML 2021, Tables 4 and 5)."""

from typing import Any

from numpy.typing import NDArray

from demix.scores.common.pixels import held_out_r2
from demix.specs.scores.r2 import R2Spec

SCORE = R2Spec(held_out=True).name


def raw_scores(problem: Any) -> dict[str, tuple[dict[str, float], dict[str, NDArray]]]:
    """Scores by name of every set that is scored, and what is known of its samples.

    Args:
        problem: `demix.problems.images.Images` on the CPU.
    """
    sets = {}
    for name in problem.scored:
        found = problem.flattened(name)
        scores = {}
        if "factors" in found.known:
            scores[SCORE] = held_out_r2(found.observations.numpy(), found.known["factors"])
        sets[name] = scores, dict(found.known)
    return sets
