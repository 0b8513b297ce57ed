"""One training job: data card in, results folder out."""

import io
import time
from dataclasses import asdict
from pathlib import Path

import torch

from demix.problems.common.opening import data_origin, open_problem
from demix.specs.run import RunSpec
from demix.support import provenance
from demix.support.codes import FILE, CodedSet, write_codes
from demix.support.errors import ConfigError
from demix.support.files import replacing, write_json
from demix.training.checkpoint import Checkpoints
from demix.training.device import choose_device
from demix.training.history import History
from demix.training.loop import train
from demix.training.memory import keep_freed_memory
from demix.training.numerics import fix_algorithms
from demix.training.status import Status
from demix.training.stopping import StopRequest
from demix.training.trainee import Trainee


def train_job(
    spec: RunSpec, seed: int, card: Path, out: Path, name: str, key: str, device_name: str, status: Status | None = None
) -> None:
    """Train a run and write its results; a run that was stopped before goes on from its checkpoint.

    Args:
        spec: a run with a model.
        seed: of data, initialisation and evaluation.
        card: data card of the problem.
        out: folder for encoder.pt, codes.npz, history.parquet and provenance.json.
        name: for progress reports and the record.
        key: the run's key, for the record.
        device_name: "auto", "cpu" or "cuda".
        status: told how far the training is.
    """
    assert spec.training is not None
    started, clock = provenance.now(), time.monotonic()
    provenance.commit()  # that of the code which trains, whatever is committed meanwhile
    device = choose_device(device_name)
    torch.set_num_threads(spec.training.threads)
    fix_algorithms()
    keep_freed_memory()
    try:
        problem = open_problem(spec.problem, card, seed, device)
        trainee = Trainee(spec, seed, problem, device)
    except ValueError as error:
        raise ConfigError(f"{name}: {error}") from None
    history, checkpoints = History(), Checkpoints(out / "checkpoint", key)
    outcome = train(trainee, history, f"{name} seed {seed}", checkpoints, StopRequest(), status)

    checkpoints.check_owner()
    weights = {"encoder": trainee.encoder.state_dict(), "objective": trainee.objective.state_dict()}
    content = io.BytesIO()  # saved to a path, the path's name would be in the bytes
    torch.save(weights, content)
    with replacing(out / "encoder.pt") as temporary:
        temporary.write_bytes(content.getvalue())
    write_codes(out / FILE, evaluation_codes(trainee))
    history.write(out / "history.parquet")
    result = asdict(outcome) | {
        "backend": trainee.backend,
        "data": data_origin(spec.problem, card),
        "facts": problem.facts(),
        "sets": {name: spec.problem.set_key(name) for name in spec.problem.evaluation_sets},
        "wall_time_s": time.monotonic() - clock,
        "spec": spec.model_dump(mode="json"),
    }
    write_json(out / "provenance.json", provenance.record(name, seed, key, device, started) | result)
    checkpoints.remove()


def evaluation_codes(trainee: Trainee) -> dict[str, CodedSet]:
    """Codes of every evaluation set with what is known of its samples."""
    return {
        name: CodedSet(trainee.codes(found.observations).numpy(), found.known)
        for name, found in trainee.problem.evaluation_sets().items()
    }
