"""The training loop: steps, rows of history, scores now and then. It serves every family of runs."""

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from demix.problems.common.evaluation import EvaluationSet
from demix.scores.common.values import value_of
from demix.specs.scores import ScoreSpec
from demix.specs.scores.mcc import MCCSpec
from demix.specs.scores.r2 import R2Spec
from demix.training.checkpoint import Checkpoints
from demix.training.history import History
from demix.training.numerics import differences, numerics
from demix.training.progress import Progress
from demix.training.status import Status
from demix.training.stopping import Stopped, StopRequest
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
        steps_per_second: of this process, scores included.
        resumed_at: step of the checkpoint that this process went on from, 0 for none.
        bit_exact: the whole training ran on one kind of device in one way, so that the same run, seed and device give
            the same bits; false after going on elsewhere.
    """

    outcome: str
    steps: int
    steps_per_second: float
    resumed_at: int = 0
    bit_exact: bool = True


def train(
    trainee: Trainee,
    history: History,
    title: str,
    checkpoints: Checkpoints | None = None,
    stop: StopRequest | None = None,
    status: Status | None = None,
    watched: Sequence[ScoreSpec] = (R2Spec(), MCCSpec()),
) -> Outcome:
    """Train to the end of the budget, or until the loss is no number.

    Args:
        trainee: the run; trained in place.
        history: gets a row about 200 times, with scores in every tenth and in the last.
        title: what progress reports call the run.
        checkpoints: where to go on from and to save to.
        stop: a request to save a checkpoint and stop; looked at after every step.
        status: gets the number of steps that are done.
        watched: scores for the history.

    Raises:
        Stopped: there was a request to stop, and the checkpoint is saved.
        OwnedByAnotherError: another process trains the same run and seed.
    """
    first, bit_exact = _resume(trainee, history, checkpoints, title)
    sets = trainee.problem.evaluation_sets()
    every = max(1, trainee.steps // ROWS)
    progress = Progress(trainee.steps, title, first)
    outcome, done = "finished", first
    for step in range(first, trainee.steps):
        history.add(trainee.step(step))
        done = step + 1
        if done % every == 0 or done in (1, trainee.steps):
            scored = done % (every * SCORE_EVERY) == 0 or done == trainee.steps
            scores = evaluate(trainee, sets, watched) if scored else {}
            row = history.row(done, learning_rate=trainee.update.rate(step), **scores)
            progress.report(done, loss=row["loss"], **scores)
            if not math.isfinite(row["loss"]):
                outcome = "diverged"
                break
        if status is not None:
            status.report(done, trainee.steps, progress.rate(done))
        if checkpoints is not None:
            _save_if_due(trainee, history, done, bit_exact, checkpoints, stop)
    rate = progress.rate(done)
    progress.close()
    return Outcome(outcome, done, rate, first, bit_exact)


def _resume(trainee: Trainee, history: History, checkpoints: Checkpoints | None, title: str) -> tuple[int, bool]:
    """Load the newest checkpoint, if any; the number of steps already made, and whether the bits are still exact."""
    state = checkpoints.load(trainee.device) if checkpoints else None
    if state is None:
        return 0, True
    trainee.load_state(state["trainee"])
    history.load_state(state["history"])
    changed = differences(state["numerics"], numerics(trainee.device, trainee.backend))
    if changed:
        print(f"{title}: not bit-exact, goes on with another {'; '.join(changed)}", file=sys.stderr, flush=True)
    return state["step"], state["bit_exact"] and not changed


def _save_if_due(
    trainee: Trainee,
    history: History,
    done: int,
    bit_exact: bool,
    checkpoints: Checkpoints,
    stop: StopRequest | None,
) -> None:
    stopping = stop is not None and stop.signal is not None
    if not stopping and not checkpoints.due():
        return
    where = {"numerics": numerics(trainee.device, trainee.backend), "bit_exact": bit_exact}
    checkpoints.save({"step": done, "trainee": trainee.state(), "history": history.state(), **where})
    if stop is not None and stopping:
        print(
            f"stopped by signal {stop.signal} after step {done:,}; the same command goes on from there", file=sys.stderr
        )
        raise Stopped(stop.exit_code)


def evaluate(trainee: Trainee, sets: Mapping[str, EvaluationSet], watched: Sequence[ScoreSpec]) -> dict[str, float]:
    """Scores of the codes, as fractions; with several evaluation sets their names lead those of the scores.

    A score is left out where something that it needs is not known.
    """
    wanted = {
        name: [score for score in watched if set(score.needs) <= set(found.known)] for name, found in sets.items()
    }
    scored = {name: found for name, found in sets.items() if wanted[name]}
    scores: dict[str, float] = {}
    for name, found in scored.items():
        codes = trainee.codes(found.observations).numpy()
        prefix = f"{name}_" if len(scored) > 1 else ""
        for score in wanted[name]:
            scores[prefix + score.name] = value_of(score, codes, found.known)
    return scores
