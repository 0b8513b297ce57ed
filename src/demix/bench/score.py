"""Seconds of training until a score is reached, with the recipes of the configuration."""

import argparse
import time
from collections.abc import Iterator
from typing import Any

import torch

from demix.experiment.experiment import Experiment, load_experiment
from demix.experiment.options import base_config
from demix.experiment.run import Run
from demix.specs.scores.mcc import MCCSpec
from demix.specs.scores.r2 import R2Spec
from demix.support.building import build
from demix.support.errors import ConfigError, unknown
from demix.training.loop import evaluate
from demix.training.trainee import Trainee

LOOKS = 100
"""Times that a run is scored."""

MEASURED = (R2Spec(), MCCSpec())


def rows(options: argparse.Namespace, device: torch.device) -> Iterator[dict[str, Any]]:
    """A row for each run and score to reach; without seconds where it was not reached in time."""
    experiment = load_experiment(base_config(), scale="smoke" if options.quick else options.scale)
    runs = [experiment.runs[name] for name in _names(experiment, options)]
    torch.set_num_threads(options.threads)
    for run in runs:
        yield from _run_rows(run, options, device)


def _names(experiment: Experiment, options: argparse.Namespace) -> list[str]:
    """Ids of the runs.

    Raises:
        ConfigError: there is none of that name, or nothing of it is trained.
    """
    trained = [run.id for run in experiment.runs.values() if not run.is_raw and run.has_own_data]
    for name in options.run or []:
        if name not in trained:
            raise ConfigError(f"--run: {unknown('trained run', name, trained)}")
    pairs = [name for name in trained if experiment.runs[name].spec.problem.has_pairs]
    return options.run or (pairs[:1] if options.quick else pairs)


def _run_rows(run: Run, options: argparse.Namespace, device: torch.device) -> Iterator[dict[str, Any]]:
    problem = build(run.spec.problem, seed=options.seed, device=device)
    trainee = Trainee(run.spec, options.seed, problem, device)
    sets = problem.evaluation_sets()
    wanted = {(metric, value): None for metric in (score.kind for score in MEASURED) for value in sorted(options.reach)}
    reached: dict[tuple[str, float], tuple[int, float] | None] = dict(wanted)
    seconds, scores = 0.0, {}
    every = max(1, trainee.steps // LOOKS)
    for first in range(0, trainee.steps, every):
        last = min(first + every, trainee.steps)
        seconds += _train(trainee, first, last)
        scores = evaluate(trainee, sets, MEASURED)
        for (metric, value), found in reached.items():
            if found is None and scores[metric] >= value:
                reached[metric, value] = (last, seconds)
        if seconds > 60 * options.minutes:
            break
    for (metric, value), found in reached.items():
        yield {
            "what": "score",
            "run": run.id,
            "metric": metric,
            "reach": value,
            "steps": found[0] if found else None,
            "seconds": found[1] if found else None,
            "last_score": scores[metric],
            "total_seconds": seconds,
            "backend": trainee.backend,
            "device": device.type,
            "threads": options.threads,
        }


def _train(trainee: Trainee, first: int, last: int) -> float:
    """Seconds that the steps take; scores do not count."""
    start = time.perf_counter()
    for step in range(first, last):
        loss = trainee.step(step)
    loss.total.item()  # waits for the device
    return time.perf_counter() - start
