"""The training loop: steps, rows of history, scores now and then. It serves every family of runs."""

import math
from dataclasses import dataclass

from demix.scores import SCORES
from demix.training.history import History
from demix.training.progress import Progress
from demix.training.trainee import Trainee

ROWS = 200
"""Rows of history that a run writes: the loss is averaged between two of them."""

SCORE_EVERY = 10
"""Rows of history between two scores on the evaluation sets."""


@dataclass(frozen=True)
class Outcome:
    """How training ended.

    Args:
        outcome: "finished", or "diverged" if the loss became NaN or infinite.
        steps: steps that were made.
        steps_per_second: over the whole run, scores included.
    """

    outcome: str
    steps: int
    steps_per_second: float


def train(trainee: Trainee, history: History, title: str, watched: tuple[str, ...] = ("r2", "mcc")) -> Outcome:
    """Train to the end of the budget, or until the loss is no number.

    Args:
        trainee: the run; trained in place.
        history: gets a row about 200 times, with scores in every tenth and in the last.
        title: what progress reports call the run.
        watched: scores for the history.
    """
    sets = trainee.problem.evaluation_sets()
    every = max(1, trainee.steps // ROWS)
    progress = Progress(trainee.steps, title)
    result = "finished"
    done = 0
    for step in range(trainee.steps):
        history.add(trainee.step(step))
        done = step + 1
        if done % every and done != trainee.steps and done != 1:
            continue
        scores: dict[str, float] = {}
        if done % (every * SCORE_EVERY) == 0 or done == trainee.steps:
            scores = evaluate(trainee, sets, watched)
        row = history.row(done, learning_rate=trainee.update.rate(step), **scores)
        progress.report(done, loss=row["loss"], **scores)
        if not math.isfinite(row["loss"]):
            result = "diverged"
            break
    rate = progress.rate(done)
    progress.close()
    return Outcome(result, done, rate)


def evaluate(trainee: Trainee, sets: dict, watched: tuple[str, ...]) -> dict[str, float]:
    """Scores of the codes, as fractions; with several evaluation sets their names lead those of the scores."""
    scores: dict[str, float] = {}
    for name, (observations, factors) in sets.items():
        codes = trainee.codes(observations).numpy()
        prefix = f"{name}_" if len(sets) > 1 else ""
        scores |= {prefix + score: SCORES[score](factors.numpy(), codes) for score in watched}
    return scores
