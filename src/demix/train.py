"""Train one run with one seed.

Writes encoder.pt (weights of encoder and objective), codes.npz (codes and true factors on the evaluation sets),
history.parquet and provenance.json into the output folder.

With DEMIX_CACHE set, results are copied from there if they are there, else stored there (see demix.workflow.store).

While it trains it keeps checkpoints in the folder's checkpoint/. SIGTERM, SIGUSR1 and Ctrl-C save one and stop; the
same command goes on from there, to the same bits.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demix.datasets.common.card import read_available
from demix.experiment.run import TRAINING_MODULES
from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.support.cli import from_json, parser, run
from demix.support.environment import limit_threads
from demix.support.errors import ConfigError, DemixError, OwnedByAnotherError
from demix.support.provenance import FILE as PROVENANCE
from demix.support.provenance import Provenance
from demix.training.status import Status
from demix.training.stopping import Stopped
from demix.workflow.store import Slot, seed_part

RESULTS = ("encoder.pt", "codes.npz", "history.parquet", "provenance.json")
"""What a training writes; the last one says that it is finished."""


def main() -> None:
    """Command line."""
    arguments = parser("train", __doc__)
    arguments.add_argument("--spec", required=True, help="the resolved spec of the run, as JSON")
    arguments.add_argument("--seed", required=True, type=int, help="seed of data, initialisation and evaluation")
    arguments.add_argument("--data", required=True, type=Path, help="data card of the problem with this seed")
    arguments.add_argument("--out", required=True, type=Path, help="folder for the results")
    arguments.add_argument("--name", default="run", help="what to call the run in progress reports")
    arguments.add_argument("--key", default="", help="the run's key, for the record")
    arguments.add_argument(
        "--device",
        default="auto",
        choices=["auto", "cpu", "cuda", "none"],
        help="none: take the results from the cache or fail; default: %(default)s",
    )
    options = arguments.parse_args()
    spec = parse(RunSpec, from_json(options.spec, "--spec"), "--spec")
    if spec.training is None:
        raise ConfigError("--spec: a run without a model scores raw observations; there is nothing to train")
    external = external_hash(spec, options.data)
    part = seed_part(options.seed)
    slot = Slot("train", options.key, part, options.name, spec, TRAINING_MODULES, evaluation=False, data=external)
    if slot.take(options.out):
        return
    if options.device == "none":
        raise DemixError("no whole entry in the cache any more; give the same command again to train this run")
    limit_threads(spec.training.threads)
    with recorded(options.out / "checkpoint") as status:
        from demix.training.job import train_job  # torch and numpy read the number of threads when they are imported

        train_job(spec, options.seed, options.data, options.out, options.name, options.key, options.device, status)
    slot.put(options.out, RESULTS, Provenance.read(options.out / PROVENANCE).sets)


def external_hash(spec: RunSpec, card: Path) -> str:
    """Hash of the external data that a run is trained on; empty if all of its data is made here.

    Raises:
        DataError: the data is not available.
    """
    return read_available(card)["hash"] if spec.problem.external else ""


@contextmanager
def recorded(folder: Path) -> Iterator[Status]:
    """Note in the folder that a training has begun, from before torch is imported, and how it ended if not well."""
    status = Status(folder)
    try:
        yield status
    except OwnedByAnotherError:
        raise  # the folder speaks of the other process now
    except Stopped as stopped:
        status.ended("interrupted", f"stopped by signal {int(stopped.code or 0) - 128}")
        raise
    except KeyboardInterrupt:
        status.ended("interrupted", "stopped by Ctrl-C")
        raise
    except Exception as error:
        status.ended("failed", (str(error) or type(error).__name__).splitlines()[0])
        raise


if __name__ == "__main__":
    run(main)
