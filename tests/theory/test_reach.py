"""How far the published runs are from the limit."""

from project import CONFIG

from demix.experiment.experiment import load_experiment
from demix.theory.reach import reaches


def test_box_rows_of_the_published_size_are_far_from_their_limit_and_sphere_rows_at_it():
    plan = load_experiment(CONFIG).figure("theory")
    of = {reach.problem: reach for reach in reaches(plan)}
    assert of["sphere, vMF(κ=1), k = 1"].excess < 1e-3
    assert 1e6 < of["box, Laplace(λ=0.05)"].needed < 1e7
    assert 1e9 < of["box, GenNorm(β=3; λ=0.05)"].needed < 1e10
    assert all(reach.needed > reach.negatives for reach in of.values() if reach.space == "box")
