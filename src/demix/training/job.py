"""One training job, from the card of its data to a folder of results."""

import io
from dataclasses import asdict
from pathlib import Path

import torch

from demix.problems.common.opening import data_origin, open_problem
from demix.specs.run import RunSpec
from demix.support import codes, provenance
from demix.support.codes import CodedSet, write_codes
from demix.support.errors import ConfigError
from demix.support.files import replacing
from demix.support.provenance import DataOrigin, Provenance, Start
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

    Raises:
        ConfigError: the parts of the run do not fit each other or the data.
    """
    assert spec.training is not None
    started = Start()
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
    write_weights(trainee, out / "encoder.pt")
    sets = evaluation_codes(trainee)
    write_codes(out / codes.FILE, sets)
    history.write(out / "history.parquet")
    record = Provenance.of_job(
        name,
        seed,
        key,
        device,
        started,
        **asdict(outcome),
        backend=trainee.backend,
        data=DataOrigin(**data_origin(spec.problem, card), of_seed=spec.problem.has_own_data),
        facts=problem.facts(),
        sets={found: spec.problem.set_key(found) for found in sets},
        spec=spec.model_dump(mode="json"),
    )
    record.write(out / provenance.FILE)
    checkpoints.remove()


def write_weights(trainee: Trainee, path: Path) -> None:
    """Write the weights of encoder and objective, whole or not at all."""
    weights = {"encoder": trainee.encoder.state_dict(), "objective": trainee.objective.state_dict()}
    content = io.BytesIO()  # saved to a path, the path's name would be in the bytes
    torch.save(weights, content)
    with replacing(path) as temporary:
        temporary.write_bytes(content.getvalue())


def evaluation_codes(trainee: Trainee) -> dict[str, CodedSet]:
    """Codes of every evaluation set with what is known of its samples."""
    return {
        name: CodedSet(trainee.codes(found.observations).numpy(), found.known)
        for name, found in trainee.problem.evaluation_sets().items()
    }
