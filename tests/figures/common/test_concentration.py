"""How concentrated densities are, and their mass to move."""

import pytest

from demix.figures.common.concentration import concentration, mass_to_move, with_concentration
from demix.specs.latents.densities.laplace import LaplaceSpec
from demix.specs.latents.densities.normal import NormalSpec
from demix.specs.latents.densities.vmf import VonMisesFisherSpec
from demix.specs.problems.synthetic import SyntheticProblemSpec


def test_concentration_is_kappa_or_the_inverse_variance():
    assert concentration(VonMisesFisherSpec(concentration=3)) == 3
    assert concentration(NormalSpec(std=0.5)) == 4
    assert concentration(LaplaceSpec(scale=1)) is None
    assert concentration(None) is None


@pytest.mark.parametrize(
    ("space", "marginal"),
    [("sphere", {"kind": "vmf", "concentration": 1}), (({"kind": "box", "low": -1}), {"kind": "normal", "std": 1})],
)
def test_more_concentration_is_more_mass_to_move(space, marginal):
    problem = SyntheticProblemSpec.model_validate({"space": space, "marginal": marginal, "dim": 5})
    masses = [mass_to_move(with_concentration(problem, value)) for value in (0.25, 1, 4, 16)]
    assert concentration(with_concentration(problem, 4).marginal) == pytest.approx(4)
    assert masses == sorted(masses)
    assert 0 < masses[0] < masses[-1] < 1
