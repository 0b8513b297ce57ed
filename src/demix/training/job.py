"""One training job: data card in, results folder out."""

import io
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch

from demix import provenance
from demix.data import data_origin, open_problem
from demix.device import choose_device
from demix.errors import ConfigError
from demix.files import replacing, write_arrays, write_json
from demix.specs.run import RunSpec
from demix.training.checkpoint import Checkpoints
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
    write_arrays(out / "codes.npz", **evaluation_codes(trainee))
    history.write(out / "history.parquet")
    result = asdict(outcome) | {
        "backend": trainee.backend,
        "data": data_origin(spec.problem, card),
        "facts": getattr(problem, "facts", dict)(),
        "wall_time_s": time.monotonic() - clock,
        "spec": spec.model_dump(mode="json"),
    }
    write_json(out / "provenance.json", provenance.record(name, seed, key, device, started) | result)
    checkpoints.remove()


def evaluation_codes(trainee: Trainee) -> dict[str, np.ndarray]:
    """Codes and true factors of every evaluation set: "<set>/codes" and "<set>/factors", (samples, dim) each.

    Sets that are there for pictures have codes without factors.
    """
    arrays = {}
    for name, (observations, factors) in trainee.problem.evaluation_sets().items():
        arrays[f"{name}/codes"] = trainee.codes(observations).numpy()
        arrays[f"{name}/factors"] = factors.numpy()
    for name, (observations, known) in trainee.problem.unscored_sets().items():
        arrays[f"{name}/codes"] = trainee.codes(observations).numpy()
        arrays |= {f"{name}/{what}": values.numpy() for what, values in known.items()}
    return arrays
