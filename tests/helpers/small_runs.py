"""Runs on synthetic problems that are small enough to be trained in tests."""

from demix.specs.base import parse
from demix.specs.run import RunSpec
from demix.support.building import build
from demix.training.trainee import Trainee

CONDITIONALS = {"sphere": {"kind": "vmf", "concentration": 10}, "box": {"kind": "laplace", "scale": 0.05}}


def small_trainee(space, output, objective, *, hidden=(4,), candidates=10, device="cpu", **training):
    """A run that has not begun, of four latents that are uniform on their space.

    Args:
        space: "sphere" or "box".
        output, objective: parts of the model's spec.
        hidden: widths of the encoder's layers, in multiples of the number of latents.
        candidates: of the generator.
        device: where it trains.
        training: fields of the training's spec.
    """
    data = {
        "problem": {
            "space": space,
            "dim": 4,
            "marginal": "uniform",
            "conditional": CONDITIONALS[space],
            "generator": {"candidates": candidates},
        },
        "model": {"encoder": {"kind": "mlp", "hidden": list(hidden)}, "output": output, "objective": objective},
        "training": training,
    }
    spec = parse(RunSpec, data, "run")
    return Trainee(spec, 0, build(spec.problem, seed=0, device=device), device)


def box_trainee(output):
    """A run in a box, with an output layer."""
    objective = {"kind": "lp_infonce", "exponent": 1}
    training = {"batch_size": 64, "steps": 10, "learning_rate": 0.01}
    return small_trainee("box", output, objective, hidden=(4, 4), candidates=5, **training)
