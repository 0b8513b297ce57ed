"""Score the raw pixels of pictures: the identity rows of ICML 2021, Tables 4 and 5.

Writes codes.npz and provenance.json as a training does; but pixels are too many to be kept as codes, so that codes.npz
has their score in their place, "<split>/score/r2_held_out".
"""

import time
from pathlib import Path

from demix.specs.base import parse
from demix.specs.picture_pairs import PicturePairs
from demix.specs.pictures import SPLITS
from demix.support import provenance
from demix.support.cli import from_json, parser, run
from demix.support.environment import limit_threads
from demix.support.files import write_arrays, write_json


def main() -> None:
    """Command line."""
    arguments = parser("score_pixels", __doc__)
    arguments.add_argument("--spec", required=True, help="the problem's resolved spec, as JSON")
    arguments.add_argument("--seed", required=True, type=int, help="of the pictures that are taken")
    arguments.add_argument("--data", required=True, type=Path, help="data card of the pictures")
    arguments.add_argument("--out", required=True, type=Path, help="folder for the results")
    arguments.add_argument("--name", default="run", help="what to call it in the record")
    arguments.add_argument("--key", default="", help="the run's key, for the record")
    options = arguments.parse_args()
    spec = parse(PicturePairs, from_json(options.spec, "--spec"), "--spec")
    limit_threads(1)
    write_scores(spec, options.seed, options.data, options.out, options.name, options.key)


def write_scores(spec: PicturePairs, seed: int, card: Path, out: Path, name: str = "run", key: str = "") -> None:
    """Write the scores of raw pixels of both splits, and where they come from."""
    import numpy as np
    import torch

    from demix.problems.common.opening import data_origin, open_problem
    from demix.scores.common.pixels import held_out_r2

    started, clock = provenance.now(), time.monotonic()
    torch.set_num_threads(1)
    problem = open_problem(spec, card, seed)
    scores = {f"{split}/score/r2_held_out": np.array(held_out_r2(*problem.flattened(split))) for split in SPLITS}
    write_arrays(out / "codes.npz", **scores)
    record = provenance.record(name, seed, key, torch.device("cpu"), started)
    outcome = {"outcome": "finished", "bit_exact": True, "data": data_origin(spec, card)}
    cost = {"steps": 0, "steps_per_second": 0.0, "wall_time_s": time.monotonic() - clock}
    write_json(out / "provenance.json", record | outcome | cost)


if __name__ == "__main__":
    run(main)
