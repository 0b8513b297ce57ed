"""Draw the mixing network and the evaluation latents of a synthetic problem, for one seed.

Writes mixing.npz (weights of g), card.json, and codes.npz with provenance.json as a training does: the "codes" are
the observations of the evaluation latents, which is what the identity baseline scores.

With DEMIX_CACHE set, all of it comes from there if it is there, and goes there if not (see demix.store).
"""

import hashlib
import time
from pathlib import Path

from demix import provenance
from demix.cli import from_json, parser, run
from demix.files import write_arrays, write_json
from demix.specs.base import parse
from demix.specs.problem import SyntheticProblem
from demix.store import Slot

RESULTS = ("mixing.npz", "codes.npz", "provenance.json", "card.json")
"""What is written; the card comes last: where it is, the data is whole."""


def main() -> None:
    """Command line."""
    arguments = parser("synthetic_problem", __doc__)
    arguments.add_argument("--spec", required=True, help="the problem's resolved spec, as JSON")
    arguments.add_argument("--seed", required=True, type=int, help="of mixing network and latents")
    arguments.add_argument("--out", required=True, type=Path, help="folder for the results")
    arguments.add_argument("--key", default="", help="the problem's key, for the record")
    options = arguments.parse_args()
    spec = parse(SyntheticProblem, from_json(options.spec, "--spec"), "--spec")
    spec = spec.without_conditional
    slot = Slot("problem", options.key, options.seed, f"{spec.space.kind}-{spec.marginal.kind}-n{spec.dim}", spec)
    if slot.take(options.out):
        return
    write_problem(spec, options.seed, options.out, options.key)
    slot.put(options.out, RESULTS)


def write_problem(spec: SyntheticProblem, seed: int, out: Path, key: str = "") -> None:
    """Write mixing.npz, codes.npz, provenance.json and card.json of a problem for one seed."""
    import torch

    from demix.building import build

    started, clock = provenance.now(), time.monotonic()
    torch.set_num_threads(1)
    problem = build(spec, seed=seed)
    arrays: dict = {}
    for name, (observations, factors) in problem.evaluation_sets().items():
        arrays |= {f"{name}/codes": observations.numpy(), f"{name}/factors": factors.numpy()}
    write_arrays(out / "mixing.npz", **{f"layer{i}": weight for i, weight in enumerate(problem.weights)})
    write_arrays(out / "codes.npz", **arrays)
    record = provenance.record("data", seed, key, torch.device("cpu"), started)
    outcome = {"outcome": "finished", "bit_exact": True}
    cost = {"steps": 0, "steps_per_second": 0.0, "wall_time_s": time.monotonic() - clock}
    write_json(out / "provenance.json", record | outcome | cost)
    write_json(out / "card.json", _card(spec, seed, key, problem.weights, arrays))


def _card(spec: SyntheticProblem, seed: int, key: str, weights: list, arrays: dict) -> dict:
    digest = hashlib.sha256()
    for array in [*weights, *arrays.values()]:
        digest.update(array.tobytes())
    return {
        "available": True,
        "reason": "",
        "remedy": "",
        "hash": digest.hexdigest(),
        "counts": {name.removesuffix("/factors"): len(a) for name, a in arrays.items() if name.endswith("/factors")},
        "statistics": {"condition_numbers": [_condition(weight) for weight in weights]},
        "seed": seed,
        "key": key,
        "spec": spec.without_conditional.model_dump(mode="json"),
    }


def _condition(matrix) -> float:
    import numpy as np

    return float(np.linalg.cond(matrix))


if __name__ == "__main__":
    run(main)
