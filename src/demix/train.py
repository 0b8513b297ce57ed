"""Train one run with one seed.

Writes encoder.pt (weights of encoder and objective), codes.npz (codes and true factors on the evaluation sets),
history.parquet and provenance.json into the output folder.

While it trains it keeps checkpoints in the folder's checkpoint/. SIGTERM, SIGUSR1 and Ctrl-C save one and stop; the
same command goes on from there, to the same bits.
"""

from pathlib import Path

from demix.cli import from_json, parser, run
from demix.environment import limit_threads
from demix.errors import ConfigError
from demix.specs.base import parse
from demix.specs.run import RunSpec


def main() -> None:
    """Command line."""
    arguments = parser("train", __doc__)
    arguments.add_argument("--spec", required=True, help="the resolved spec of the run, as JSON")
    arguments.add_argument("--seed", required=True, type=int, help="seed of data, initialisation and evaluation")
    arguments.add_argument("--data", required=True, type=Path, help="data card of the problem with this seed")
    arguments.add_argument("--out", required=True, type=Path, help="folder for the results")
    arguments.add_argument("--name", default="run", help="what to call the run in progress reports")
    arguments.add_argument("--key", default="", help="the run's key, for the record")
    arguments.add_argument("--device", default="auto", choices=["auto", "cpu", "cuda"], help="default: %(default)s")
    options = arguments.parse_args()
    spec = parse(RunSpec, from_json(options.spec, "--spec"), "--spec")
    if spec.training is None:
        raise ConfigError("--spec: a run without a model scores raw observations; there is nothing to train")
    limit_threads(spec.training.threads)
    from demix.training.job import train_job  # torch and numpy read the number of threads when they are imported

    train_job(spec, options.seed, options.data, options.out, options.name, options.key, options.device)


if __name__ == "__main__":
    run(main)
