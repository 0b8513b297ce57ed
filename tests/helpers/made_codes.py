"""Factors, codes and finished seeds that are made up, for tests of scores and what is made of them."""

import numpy as np

from demix.specs.families import member
from demix.support.codes import CodedSet, write_codes
from demix.support.provenance import Provenance


def latents(seed=0, n=2000, k=5):
    return np.random.default_rng(seed).uniform(size=(n, k))


def rotation(k=5, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(k, k)))[0]


def score_spec(kind, **parameters):
    """The spec of a score."""
    return member("scores", kind)(**parameters)


def finished_seed(folder, seed=0, sets=None, **record):
    """Leave in a folder what a finished training leaves for scoring.

    Args:
        sets: `CodedSet` by name; one set "marginal" that is coded without loss if none are given.
        record: fields of its provenance.
    """
    z = latents(seed, n=50, k=2)
    sets = {"marginal": CodedSet(z, {"factors": z})} if sets is None else sets
    write_codes(folder / "codes.npz", sets)
    told = {"outcome": "finished", "commit": "abc", "steps": 10, "steps_per_second": 1.0, "wall_time_s": 1.0}
    told |= {"bit_exact": True, "finished": "2026", "peak_memory_mb": 1.0, "device": {"name": "a CPU", "type": "cpu"}}
    told |= {"versions": {"python": "3", "demix": "0", "torch": "2", "numpy": "2"}}
    Provenance(seed=seed, **told | record).write(folder / "provenance.json")
    return folder
