"""Draw the generator and the evaluation latents of a synthetic problem, for one seed.

Writes generator.npz (such as the weights of a mixing network), card.json, and codes.npz with provenance.json as a
training does: the "codes" are the observations of the evaluation latents, which is what the identity baseline scores.

With DEMIX_CACHE set, all of it is copied from there if it is there, else stored there (see demix.workflow.store).
"""

import hashlib
from pathlib import Path
from typing import Any

from demix.datasets.common.card import CARD
from demix.specs.base import content, parse
from demix.specs.problems.synthetic import SyntheticProblemSpec
from demix.support import codes, provenance
from demix.support.cli import from_json, parser, run
from demix.support.codes import CodedSet, write_codes
from demix.support.files import write_arrays, write_json
from demix.support.provenance import Provenance, Start
from demix.workflow.store import Slot, seed_part

RESULTS = ("generator.npz", "codes.npz", "provenance.json", "card.json")
"""What is written; the card comes last: where it is, the data is whole."""


def main() -> None:
    """Command line."""
    arguments = parser("synthetic_problem", __doc__)
    arguments.add_argument("--spec", required=True, help="the problem's resolved spec, as JSON")
    arguments.add_argument("--seed", required=True, type=int, help="of generator and latents")
    arguments.add_argument("--out", required=True, type=Path, help="folder for the results")
    arguments.add_argument("--key", default="", help="the problem's key, for the record")
    options = arguments.parse_args()
    spec = parse(SyntheticProblemSpec, from_json(options.spec, "--spec"), "--spec")
    spec = spec.without_conditional
    slot = Slot("synthetic_problem", options.key, seed_part(options.seed), spec.data_label, spec)
    if slot.take(options.out):
        return
    write_problem(spec, options.seed, options.out, options.key)
    slot.put(options.out, RESULTS)


def write_problem(spec: SyntheticProblemSpec, seed: int, out: Path, key: str = "") -> None:
    """Write generator.npz, codes.npz, provenance.json and card.json of a problem for one seed."""
    import torch

    from demix.support.building import build

    started = Start()
    torch.set_num_threads(1)
    problem = build(spec, seed=seed)
    sets = {
        name: CodedSet(found.observations.numpy(), found.known) for name, found in problem.evaluation_sets().items()
    }
    write_arrays(out / RESULTS[0], **problem.generator.arrays)
    write_codes(out / codes.FILE, sets)
    keys = {name: spec.set_key(name) for name in sets}
    record = Provenance.without_training("data", seed, key, started, sets=keys)
    record.write(out / provenance.FILE)
    write_json(out / CARD, _card(spec, seed, key, problem, sets))


def _card(spec: SyntheticProblemSpec, seed: int, key: str, problem: Any, sets: dict[str, CodedSet]) -> dict[str, Any]:
    digest = hashlib.sha256()
    arrays = [array for coded in sets.values() for array in (coded.codes, *coded.known.values())]
    for array in [*problem.generator.arrays.values(), *arrays]:
        digest.update(array.tobytes())
    return {
        "available": True,
        "reason": "",
        "remedy": "",
        "hash": digest.hexdigest(),
        "counts": {name: len(coded.known["factors"]) for name, coded in sets.items()},
        "statistics": problem.generator.statistics(),
        "seed": seed,
        "key": key,
        "spec": content(spec),
    }


if __name__ == "__main__":
    run(main)
