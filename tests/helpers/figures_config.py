"""A small configuration with every kind of figure, and made results for them."""

import copy
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from demix.experiment.experiment import Experiment
from demix.support.codes import FILE, CodedSet, write_codes
from demix.support.provenance import Provenance

SPHERE, BOX = "sph-vmf", "box-norm"
IMAGES = {"preset": "smoke", "size": 16}
MLP = {"encoder": {"hidden": [4]}}
INFONCE = {"kind": "lp_infonce", "exponent": 2}

SMALL_PROBLEMS = {
    "sph-vmf": {
        "space": "sphere",
        "marginal": {"kind": "vmf", "concentration": 1},
        "conditional": {"kind": "vmf", "concentration": 10},
    },
    "box-norm": {
        "space": "box",
        "marginal": {"kind": "normal", "std": 1},
        "conditional": {"kind": "normal", "std": 0.05},
    },
    "unb-norm": {
        "space": "unbounded",
        "marginal": {"kind": "normal", "std": 1},
        "conditional": {"kind": "normal", "std": 1},
    },
    "masks": {
        "kind": "images",
        "data": {"kind": "kitti_stand_in", "sequences": 20, "frames": 20},
        "pairs": "frames_of_a_sequence",
        "shrink": 4,
    },
    "3di": {"kind": "images", "data": {"kind": "threedident", **IMAGES, "train": 48, "test": 24}, "pairs": "matched"},
    "3di-four": {
        "kind": "images",
        "data": {"kind": "threedident", **IMAGES, "train": 48, "test": 24, "held": dict.fromkeys(("x", "y"), 0)},
        "pairs": "matched",
    },
}
CONV = {"encoder": {"kind": "conv", "channels": [4, 4], "features": 8}, "output": "unbounded", "objective": INFONCE}
SUITE = {
    "problems": SMALL_PROBLEMS,
    "models": {
        "sphere": {**MLP, "output": "sphere", "objective": "dot_infonce"},
        "unbounded": {**MLP, "output": "unbounded", "objective": INFONCE},
        "conv": CONV,
    },
    "trainings": {"short": {"steps": 20}},
    "runs": {
        "masks": {"problem": "masks", "model": "conv", "training": "short"},
        "3di": {"problem": "3di", "model": "conv", "training": "short"},
        "3di-four": {"problem": "3di-four", "model": "conv", "training": "short"},
        "unb": {"problem": "unb-norm", "model": "unbounded", "training": "short"},
        "raw": {"problem": "sph-vmf"},
    },
    "sweeps": {
        SPHERE: {
            "problem": "sph-vmf",
            "model": "sphere",
            "training": "short",
            "vary": {"problem.marginal.concentration": [2.0**power for power in range(-6, 7)]},
        },
        BOX: {
            "problem": "box-norm",
            "model": "unbounded",
            "training": "short",
            "vary": {"problem.marginal.std": [2.0**power for power in range(3, -6, -1)]},
        },
    },
    "figures": {
        "sweep": {
            "kind": "marginal_sweep",
            "title": "Violations of the uniform marginal",
            "notes": ["The grids are our choice."],
            "panels": {
                "sphere": {"title": "Sphere", "sweep": SPHERE},
                "box": {"title": "Box", "sweep": BOX},
            },
        },
        "traces": {"kind": "mask_traces", "title": "Masks over time", "run": "masks"},
        "latents": {"kind": "latent_scores", "title": "Which latents are recovered", "runs": {"box": "3di"}},
        "traversals": {"kind": "threedident_traversals", "title": "Traversals"},
        "gallery": {"kind": "threedident_gallery", "title": "Random images"},
        "theory": {
            "kind": "theory",
            "title": "The theorems as numbers",
            "draws": 20_000,
            "negatives": [16, 64],
            "sphere": [{"dim": 3, "concentration": 1, "model_concentration": 1},
                       {"dim": 10, "concentration": 1, "model_concentration": 1}],
            "minimum": [{"dim": 3, "concentration": 10}],
            "box": [{"kind": "laplace", "scale": 0.05}, {"kind": "normal", "std": 0.05}],
            "box_dims": [1],
            "masses": [{"concentration": 1}, {"std": 0.25}],
        },
    },
    "scales": {
        "small": {
            "problems": {"sph-vmf": {"dim": 5}, "box-norm": {"dim": 5}},
            "sweeps": {
                SPHERE: {"vary": {"problem.marginal.concentration": [0.25, 1, 4, 64]}},
                BOX: {"vary": {"problem.marginal.std": [2, 0.5, 0.125]}},
            },
            "figures": {
                "traversals": {"images": {**IMAGES, "values": [-1, 1]}},
                "gallery": {"images": {**IMAGES, "columns": 3, "rows": 2}},
            },
        }
    },
}  # fmt: skip
CONFIG = {
    "scale": "small",
    "scales": {
        "small": {"description": "for tests", "seeds": 2, "claims": "none"},
        "paper": {"description": "the published settings", "seeds": 3},
    },
    "suites": {"own": SUITE},
}


def config(**figures):
    """The configuration, its figures changed or extended: by name, fields laid over those that are there."""
    content = copy.deepcopy(CONFIG)
    entries = content["suites"]["own"]["figures"]
    for name, fields in figures.items():
        entries[name] = entries.get(name, {}) | fields
    return content


@cache
def small_experiment():
    """The configuration as it stands."""
    return Experiment(CONFIG)


def fake_scores(run, values, score="r2"):
    """What `demix.score` writes for a run: a row for each value, a fraction."""
    origin = {"run": run, "key": "k", "outcome": "finished", "bit_exact": True, "commit": "abc", "data": None}
    origin |= {"finished": "2026-01-01T00:00:00+00:00", "steps": 10, "steps_per_second": 2.0, "wall_time_s": 5.0}
    origin |= {"peak_memory_mb": 300.0, "device_memory_mb": None, "device": "a", "device_type": "cpu", "python": "3"}
    origin |= {"demix": "0", "torch": "2", "numpy": "2", "evaluation_set": "marginal", "score": score}
    return pd.DataFrame([origin | {"seed": seed, "value": value} for seed, value in enumerate(values)])


def fake_result(folder: Path, run, seed, sets=None, losses=None, data=None, keys=None):
    """The folder of a run with one seed: codes, losses and where they come from; `keys` of sets that are of old."""
    folder.mkdir(parents=True)
    keys = {name: run.spec.problem.set_key(name) for name in sets or {}} | (keys or {})
    device = {"type": "cpu", "name": "a"}
    record = Provenance(run=run.id, key=run.key, seed=seed, device=device, data=data, sets=keys)
    record.write(folder / "provenance.json")
    if sets is not None:
        write_codes(folder / FILE, sets)
    if losses is not None:
        pd.DataFrame({"step": np.arange(1, len(losses) + 1), "loss": losses}).to_parquet(folder / "history.parquet")
    return folder


def coded(codes, **known):
    """An evaluation set after encoding."""
    return CodedSet(np.asarray(codes), known)
