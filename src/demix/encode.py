"""Encode evaluation sets without training.

With --weights and --set: one evaluation set of a finished run, such as one that was added after the training, into a
file of its own. Without: all sets of a run of raw images, which has no model. Raw images are too large to be stored as
codes, so their codes.npz has scores in their place, "<set>/score/<score>", with what is known of the samples, and
provenance.json is written beside it.
"""

from pathlib import Path
from typing import Any

from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.support import provenance
from demix.support.cli import from_json, parser, run
from demix.support.codes import CodedSet, write_codes
from demix.support.environment import limit_threads
from demix.support.errors import ConfigError, DataError
from demix.support.provenance import DataOrigin, Provenance, Start


def main() -> None:
    """Command line."""
    arguments = parser("encode", __doc__)
    arguments.add_argument("--name", default="run", help="what to call the run in the record")
    arguments.add_argument("--spec", required=True, help="the resolved spec of the run, as JSON")
    arguments.add_argument("--key", default="", help="the run's key, for the record")
    arguments.add_argument("--seed", required=True, type=int, help="of the run")
    arguments.add_argument("--data", required=True, type=Path, help="data card of the problem with this seed")
    arguments.add_argument("--device", default="auto", choices=["auto", "cpu", "cuda"], help="default: %(default)s")
    arguments.add_argument("--weights", type=Path, help="encoder.pt of the finished run")
    arguments.add_argument("--set", help="name of the evaluation set")
    arguments.add_argument("--out", required=True, type=Path, help="npz file to write")
    options = arguments.parse_args()
    spec = parse(RunSpec, from_json(options.spec, "--spec"), "--spec")
    if (spec.model is None) != (options.weights is None) or (options.weights is None) != (options.set is None):
        raise ConfigError("--weights and --set go with a run that has a model, and with no other")
    limit_threads(spec.training.threads if spec.training else 1)
    if options.weights:
        encode_set(spec, options.seed, options.data, options.weights, options.set, options.out, options.device)
    else:
        score_raw(spec, options.seed, options.data, options.out, options.name, options.key)


def encode_set(
    spec: RunSpec, seed: int, card: Path, weights: Path, name: str, out: Path, device_name: str = "auto"
) -> None:
    """Write the codes of an evaluation set of a finished run.

    Args:
        spec: a run with a model.
        seed: of the run.
        card: data card of the problem.
        weights: encoder.pt of the run.
        name: of the set.
        out: npz file to write.
        device_name: "auto", "cpu" or "cuda".

    Raises:
        ConfigError: the problem has no such set.
        DataError: weights or data cannot be read.
    """
    import torch

    from demix.problems.common.opening import open_problem
    from demix.training.device import choose_device
    from demix.training.numerics import fix_algorithms
    from demix.training.trainee import Trainee

    assert spec.training is not None
    device = choose_device(device_name)
    torch.set_num_threads(spec.training.threads)
    fix_algorithms()
    try:
        trainee = Trainee(spec, seed, open_problem(spec.problem, card, seed, device), device)
        found = trainee.problem.evaluation_sets([name])[name]
    except ValueError as error:
        raise ConfigError(f"--set {name}: {error}") from None
    trainee.encoder.load_state_dict(_encoder_weights(weights, device))
    write_codes(out, {name: CodedSet(trainee.codes(found.observations).numpy(), found.known)})


def _encoder_weights(path: Path, device: Any) -> dict[str, Any]:
    import torch

    try:
        return torch.load(path, map_location=device, weights_only=True)["encoder"]
    except Exception as error:  # a damaged file can fail in any way
        line = (str(error) or type(error).__name__).splitlines()[0]
        raise DataError(f"{path}: no weights of an encoder ({line})") from None


def score_raw(spec: RunSpec, seed: int, card: Path, out: Path, name: str = "run", key: str = "") -> None:
    """Write scores of raw images and what is known of them, and where they come from.

    Args:
        spec: a run without a model.
        seed: of the images that are taken.
        card: data card of the problem.
        out: codes.npz to write; provenance.json lies beside it.
        name, key: of the run, for the record.
    """
    import torch

    from demix.problems.common.opening import data_origin, open_problem
    from demix.problems.common.raw import raw_scores

    started = Start()
    torch.set_num_threads(1)
    sets = raw_scores(open_problem(spec.problem, card, seed))
    write_codes(out, {found: CodedSet(None, known, scores) for found, (scores, known) in sets.items()})
    record = Provenance.without_training(
        name,
        seed,
        key,
        started,
        data=DataOrigin(**data_origin(spec.problem, card), of_seed=spec.problem.has_own_data),
        sets={found: spec.problem.set_key(found) for found in sets},
        spec=spec.model_dump(mode="json"),
    )
    record.write(out.with_name(provenance.FILE))


if __name__ == "__main__":
    run(main)
